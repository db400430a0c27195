import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { second } from '../../src/base/clock.ts';
import { runPlans } from '../../test/support/model/plans/run-plans.ts';
import { runModel } from '../../test/support/model/run-model.ts';

/** `npm run drill -- model --runs 1000 [--seconds 600]`: the long form of model.test.ts. A failure prints the arguments that replay it. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    seed: { type: 'string' },
    path: { type: 'string' },
    replay: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);
const { played, failure } = await runModel({
  runs: Number(values.runs),
  seed,
  ...(values.path && { path: values.path }),
  ...(values.replay && { replay: values.replay }),
  ...(values.seconds && { timeLimit: Number(values.seconds) * second }),
});
console.log(failure ?? `${played} histories: the service and the model agree`);
process.exitCode = failure === null ? 0 : 1;
if (failure === null && values.path === undefined) {
  await runPlans({ runs: Number(values.runs), seed });
  console.log(`${values.runs} histories of plans that are bought: they agree too`);
}
