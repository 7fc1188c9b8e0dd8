// What can be asked in SQL, and what can be sent.
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Asked {
  rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}
