import { compareCreates } from '../http/compare-creates.ts';

await compareCreates({ name: 'create', aim: { atLeast: 0.5 }, merchants: 1, price: 'varied' });
