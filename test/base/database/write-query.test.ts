import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listed, Template, writeQuery } from '../../../src/base/database/write-query.ts';
import { fc } from '../../support/same-dice.ts';

/** Texts as they stand in the source, each one array for ever; the number is how many values it takes. */
const written: string[][] = [[''], ['a'], ['b ', ''], ['', ' c'], ['', ' d ', ''], ['e ', ' f ', ' g']];

type Part = { text: number; parts: Part[] } | { value: number } | { list: number };

const { part } = fc.letrec<{ part: Part; template: Part }>(tie => ({
  part: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: fc.record({ value: fc.nat(9) }) },
    { weight: 3, arbitrary: tie('template') },
    { weight: 1, arbitrary: fc.record({ list: fc.integer({ min: 1, max: 3 }) }) },
  ),
  template: fc
    .nat(written.length - 1)
    .chain(text =>
      fc
        .tuple(...written[text]!.slice(1).map(() => tie('part')))
        .map(parts => ({ text, parts: parts as Part[] })),
    ),
}));
const template = part.filter((made): made is Part & { text: number } => 'text' in made);

function build(made: Part, fresh: boolean): unknown {
  if ('value' in made) return made.value;
  if ('list' in made) return new Listed(Array.from({ length: made.list }, (_, place) => place));
  const strings = written[made.text]!;
  return new Template(
    fresh ? [...strings] : strings,
    made.parts.map(inner => build(inner, fresh)),
  );
}

test('a cached text equals the text that would be written again, for all facts', () => {
  fc.assert(
    fc.property(template, made => {
      const remembered = writeQuery(build(made, false) as Template);
      assert.deepEqual(remembered, writeQuery(build(made, true) as Template));
    }),
    { numRuns: 5_000 },
  );
});

test('one text is one string, so that its prepared statement is found at once', () => {
  const strings = ['select ', ' + ', ''];
  const first = writeQuery(new Template(strings, [1, new Template(written[2]!, [2])]));
  const second = writeQuery(new Template(strings, [3, new Template(written[2]!, [4])]));
  assert.equal(first.text, 'select $1 + b $2');
  assert.equal(second.text, first.text);
  assert.deepEqual(second.values, [3, 4]);
});
