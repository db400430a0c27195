import type { World } from '../../base/world.ts';
import { confirmPayment } from '../../payments/matching/confirm-payment.ts';
import { openBankFigures } from './bank-figures.ts';
import type { JudgeTools } from './judge-alert.ts';
import { type RememberedKeys, rememberedKeys } from './remembered-keys.ts';
import { startJudges } from './start-judges.ts';

export type Judging = ReturnType<typeof openJudging>;

/** Connects the gates with matching, so that a stored mail can get its verdict. */
export function openJudging(
  world: Pick<
    World,
    'sql' | 'dns' | 'clock' | 'baseUrl' | 'log' | 'metrics' | 'banks' | 'secrets' | 'cells' | 'cell'
  >,
  keys: RememberedKeys = rememberedKeys(world),
) {
  const { current } = world.banks;
  const judges = startJudges({ banks: current, keys: keys.ask, known: keys.known, log: world.log });
  const figures = openBankFigures(world);
  const tools: JudgeTools = {
    figures,
    judge: judges.judge,
    confirm: credit =>
      confirmPayment(world, credit, id => current().find(bank => bank.id === id)?.name ?? id),
  };
  return {
    tools,
    keys,
    figures,
    warm: judges.warm,
    async close(): Promise<void> {
      await judges.close();
      await figures
        .flush()
        .catch(error => world.log.warn({ err: error }, 'the last bank figures were not written'));
    },
  };
}
