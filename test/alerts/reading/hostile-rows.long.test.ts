import test from 'node:test';
import { tryHostileRows } from './read-rows.ts';
import * as layout from './rows.ts';

test('a payer’s text in a row changes neither amount, account nor reference, at any bank and in any layout', t => {
  const tried = tryHostileRows(layout.cards, Object.keys(layout.layouts));
  t.diagnostic(`${tried} hostile rows, none moved`);
});
