// Words without holes that corrections of a proposal use.
export type Word =
  | 'proposal.nameFirst'
  | 'proposal.schemaIdWrong'
  | 'proposal.schemaIdTaken'
  | 'proposal.columnFirst'
  | 'proposal.namesFirst'
  | 'proposal.aliasWrong'
  | 'proposal.currencyWrong'
  | 'imports.twice'
