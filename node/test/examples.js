'use strict'

// The examples of a Markdown file: each block of js, and what its comments say that it prints.

const { readFileSync } = require('node:fs')

module.exports = function examples(path) {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/(<!-- (.*?) -->\n)?```js\n([^]*?)```/g)].map(([block, , note, code]) => {
    // A comment after a call that prints, or lines of comments that follow one.
    const printed = [...code.matchAll(/^(?:.*console\.log\(.*\) )?\/\/ (.*)$/gm)].map(([, line]) => line)
    const line = text.slice(0, text.indexOf(block)).split('\n').length
    return { name: `${path}:${line}`, note, code, printed }
  })
}
