import test from 'node:test';
import { tryHostileRows } from './read-rows.ts';
import * as layout from './rows.ts';

test('whatever a payer writes into a row of any bank, in any layout, moves neither amount, account nor reference', t => {
  const tried = tryHostileRows(layout.cards, Object.keys(layout.layouts));
  t.diagnostic(`${tried} hostile rows, none moved`);
});
