import { compareCreates } from '../http/compare-creates.ts';

await compareCreates({ name: 'create-hot', aim: { atLeast: 0.4 }, merchants: 200, price: 499 });
