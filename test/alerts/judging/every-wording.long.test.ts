import test from 'node:test';
import { announcements, creditAbove, footers, noCreditBehind, withEvery } from './wordings.ts';

test('at every bank, a statement behind unlisted words is no credit, whatever they announce', async () => {
  await noCreditBehind(withEvery(announcements));
});

test('at every bank, a payment is read with every footer', async () => {
  await creditAbove(withEvery(footers));
});
