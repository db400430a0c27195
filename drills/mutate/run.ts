import { parseArgs } from 'node:util';
import { compareDecoding } from './compare-decoding.ts';
import { compareBodies, compareVerifiers } from './compare-verifiers.ts';
import { mutate } from './mutate.ts';

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, part: { type: 'string' } },
});
const count = Number(values.count ?? 100_000);
const seed = Number(values.seed ?? 1);

/** All of them, or the one that `--part` names. */
const parts: Record<string, () => Promise<{ said: string; wrong: string[] }>> = {
  async mails() {
    const { credits, wrong } = await mutate(count, seed);
    return { said: `${credits} still credits with all signed bytes unchanged`, wrong };
  },
  async decoding() {
    const { decoded, wrong } = await compareDecoding(count, seed);
    return { said: `${decoded} parts decoded as postal-mime decodes them`, wrong };
  },
  async verifiers() {
    const bodies = compareBodies(count, seed);
    const { outcomes, rules, wrong } = await compareVerifiers(count, seed, line => console.log(line));
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts]
        .sort()
        .map(([what, times]) => `\n  ${times} ${what}`)
        .join('');
    return {
      said: `our check and mailauth's on the same:${list(outcomes)}\nwe refuse, mailauth does not:${list(rules)}\n`,
      wrong: [...bodies, ...wrong],
    };
  },
};

for (const [name, play] of Object.entries(parts)) {
  if (values.part !== undefined && values.part !== name) continue;
  const began = performance.now();
  const { said, wrong } = await play();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  for (const line of wrong) console.error(line);
  console.log(`${name}: ${count} mutations, seed ${seed}: ${said}, ${wrong.length} wrong, ${seconds} s`);
  if (wrong.length > 0) process.exitCode = 1;
}
