import { compareCreates } from '../http/compare-creates.ts';

await compareCreates({ name: 'create', aim: { atLeast: 0.5 }, businesses: 1, price: 'varied' });
