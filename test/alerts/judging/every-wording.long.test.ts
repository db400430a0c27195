import test from 'node:test';
import { announcements, creditAbove, footers, noCreditBehind, withEvery } from './wordings.ts';

test('a statement of any bank behind words that nobody has listed is no credit, whatever they announce', async () => {
  await noCreditBehind(withEvery(announcements));
});

test('no footer keeps a payment of any bank from being read', async () => {
  await creditAbove(withEvery(footers));
});
