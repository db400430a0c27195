import { confirmPayment } from '../matching/confirm-payment.ts';
import type { World } from '../world.ts';
import type { Bank } from './bank.ts';
import type { JudgeTools } from './judge-alert.ts';
import { startJudges } from './judge-in-worker.ts';
import type { KeySource } from './key-source.ts';

type Options = { banks: readonly Bank[]; keys: KeySource };

/** Puts the gates and matching together: what a stored mail needs on its way to a verdict. */
export function openJudging(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl' | 'log'>,
  { banks, keys }: Options,
): { tools: JudgeTools; close(): Promise<void> } {
  const judges = startJudges({ banks, keys, log: world.log });
  const tools: JudgeTools = {
    judge: (raw, mail) => judges.judge(raw, mail),
    confirm: credit => confirmPayment(world, credit),
  };
  return { tools, close: () => judges.close() };
}
