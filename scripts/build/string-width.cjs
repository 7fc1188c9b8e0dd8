// Stands for the npm package of this name in the bundle: characters of what the command line prints, which is plain text.
// The package loads Unicode tables and a segmenter at every start, for emoji that never come.
const { stripVTControlCharacters } = require('node:util')

module.exports = (text) => Array.from(stripVTControlCharacters(text)).length
module.exports.default = module.exports
