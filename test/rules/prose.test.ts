// The counting of `npm run prose`, by hand: sentences, cells, rates, and the faults that fail it.
import { describe, expect, it } from 'vitest';
import { faultsOf, proseOf, proseOfHelp, proseOfMessage, ratesOf } from '../../tools/prose.ts';

const LONG = Array.from({ length: 36 }, (_, index) => `word${index}`).join(' ');

describe('prose', () => {
  it('has the sentences of paragraphs and lists, without code, headings and generated parts', () => {
    const page =
      '# Title\n\nYou ask `a b`. It answers.\n\n- One [link](x.md).\n\n```sh\nnot this\n```\n\n<!-- a:b -->\nnor this\n<!-- /a:b -->\n';
    expect(proseOf(page).sentences).toEqual(['You ask CODE.', 'It answers.', 'One link.']);
    expect(proseOf('| a | b |\n|---|---|\n| short cell | another one |\n')).toEqual({
      sentences: [],
      cells: ['short cell', 'another one'],
    });
  });

  it('has rates per 1,000 words, and a mean without cells', () => {
    const rates = ratesOf([proseOf('You know what it says. It works.\n\n| a |\n|---|\n| three more words |\n')]);
    expect([rates.words, rates.mean]).toEqual([10, 3.5]);
    expect(rates.rates).toEqual({ what: 100, 'told/says': 100, where: 0, you: 100 });
  });

  it('fails on a sentence over 35 words, also in a cell, a help text and a message', () => {
    expect(faultsOf(proseOf(`${LONG}.`), 100)).toHaveLength(1);
    expect(faultsOf(proseOf(`| a |\n|---|\n| ${LONG} |\n`), 100)).toHaveLength(1);
    expect(faultsOf(proseOfHelp(`Usage: x\n\nShort.\n\nOptions:\n  --a  ${LONG}\n  --b  short\n`), 100)).toHaveLength(1);
    expect(faultsOf(proseOfMessage({ text: `Short. ${LONG}.`, line: 1 }), 100)).toHaveLength(1);
    expect(faultsOf(proseOf(`${LONG.replace(' word35', '')}.`), 100)).toEqual([]);
  });

  it('fails on a banned turn and on a page over its budget', () => {
    expect(faultsOf(proseOf('It is read anew.'), 100)).toHaveLength(1);
    expect(faultsOf(proseOf('One two three four.'), 3)).toEqual(['4 words; the budget is 3']);
  });
});
