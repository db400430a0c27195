import { createHash } from 'node:crypto';
import { hour, later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import type { Verdict } from '../../texts/verdicts.ts';
import type { Judgement } from './judge-mail.ts';
import { addSkeletons, addSources, addVerdicts, type SourceKind } from './queries/bank-figures.ts';
import type { Claimed } from './queries/claims.ts';
import { type Proven, recordProven, type Way, wayOf } from './queries/ways.ts';

/** Nobody looks more often; a process that dies takes the counts of so many seconds with it, and no more. */
const flushEvery = 2 * second;
/** Nobody is told more than once in so long that mails are changed, whatever comes whole between them. */
const changeForgottenAfter = 24 * hour;
/** Far more than banks, verdicts and wordings there are; what goes beyond in one flush is not counted. */
const mostRemembered = 5_000;

type Counted<Key> = Key & { mails: number; at: Date };

export type BankFigures = ReturnType<typeof openBankFigures>;

/** Figures on each bank's mails, and when each way was last proven: kept in memory while judging, written together. */
export function openBankFigures({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  const verdicts = counter<{ bank: string; verdict: Verdict }>();
  const skeletons = counter<{ bank: string; template: string; skeleton: string; hash: Buffer }>();
  let proven = new Map<string, Proven & { way: Way }>();
  const sources = counter<{ bank: string; kind: SourceKind; source: string }>();
  const keepProven = (one: Proven & { way: Way }) => {
    const known = proven.get(`${one.way} ${one.merchantId}`);
    if (!known || known.arrivedAt < one.arrivedAt) proven.set(`${one.way} ${one.merchantId}`, one);
  };
  return {
    note(judgement: Judgement, verdict: Verdict): void {
      const { bankId: bank, sender, signingDomain, unlistedDomain, surroundings } = judgement;
      if (bank === null) return;
      const at = clock.now();
      verdicts.add(`${bank} ${verdict}`, { bank, verdict }, at);
      const seen = (kind: SourceKind, source: string | null) =>
        source !== null && sources.add(`${bank} ${kind} ${source}`, { bank, kind, source }, at);
      // An address that nobody signed for is anybody's.
      if (signingDomain !== null) seen('sender', sender);
      seen('domain', signingDomain);
      seen('unlisted_domain', unlistedDomain);
      if (judgement.verdict !== 'credit' || surroundings === null) return;
      const { template } = judgement.facts;
      const hash = createHash('sha256').update(surroundings).digest();
      const key = `${bank} ${template} ${hash.toString('base64')}`;
      skeletons.add(key, { bank, template, skeleton: surroundings, hash }, at);
    },
    /** The last alert of a way is the last that was proven: others show only that something comes. */
    noteProven({ merchant_id: merchantId, arrived_at: arrivedAt, found_in }: Claimed): void {
      keepProven({ merchantId, arrivedAt, way: wayOf({ found_in }) });
    },
    async flush(): Promise<void> {
      const [all, toldBefore] = [[...proven.values()], later(clock.now(), -changeForgottenAfter)];
      proven = new Map();
      for (const way of ['forwarding', 'mailbox'] as const) {
        const ofWay = all.filter(one => one.way === way);
        await recordProven(sql, way, ofWay, toldBefore).catch(error => {
          all.forEach(keepProven);
          throw error;
        });
      }
      await addVerdicts(sql, verdicts.take());
      await addSkeletons(sql, skeletons.take());
      await addSources(sql, sources.take());
    },
  };
}

function counter<Key>() {
  let counted = new Map<string, Counted<Key>>();
  return {
    add(name: string, key: Key, at: Date): void {
      if (counted.size >= mostRemembered && !counted.has(name)) return;
      counted.set(name, { ...key, mails: (counted.get(name)?.mails ?? 0) + 1, at });
    },
    take(): Counted<Key>[] {
      const taken = [...counted.values()];
      counted = new Map();
      return taken;
    },
  };
}

/** Writes the figures while mails are judged. The last ones are written when judging is closed. */
export function startWritingFigures(world: Pick<World, 'sql' | 'log'>, figures: BankFigures) {
  return keepWorking(world, { what: 'writing figures of banks', pause: flushEvery }, () => figures.flush());
}
