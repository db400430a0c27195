import { createHash } from 'node:crypto';
import { hour, later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { openUnwritten } from '../../base/open-unwritten.ts';
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
/** More ways than one process can prove between two flushes. */
const mostProven = 100_000;

type Counted = { bank: string; mails: number; at: Date };

export type BankFigures = ReturnType<typeof openBankFigures>;

/** Figures on each bank's mails, and when each way was last proven: kept in memory while judging, written together. */
export function openBankFigures({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  const verdicts = counter<{ verdict: Verdict }>();
  const skeletons = counter<{ template: string; skeleton: string; hash: Buffer }>();
  const sources = counter<{ kind: SourceKind; source: string }>();
  const proven = openUnwritten<Proven & { way: Way }>(mostProven, (known, one) =>
    known.arrivedAt < one.arrivedAt ? one : known,
  );
  const keepProven = (one: Proven & { way: Way }) => proven.note(`${one.way} ${one.merchantId}`, one);
  return {
    note(judgement: Judgement, verdict: Verdict): void {
      const { bankId: bank, sender, signingDomain, unlistedDomain, surroundings } = judgement;
      if (bank === null) return;
      const at = clock.now();
      verdicts.note(`${bank} ${verdict}`, { bank, verdict, mails: 1, at });
      const seen = (kind: SourceKind, source: string | null) =>
        source !== null && sources.note(`${bank} ${kind} ${source}`, { bank, kind, source, mails: 1, at });
      // An address that nobody signed for is anybody's.
      if (signingDomain !== null) seen('sender', sender);
      seen('domain', signingDomain);
      seen('unlisted_domain', unlistedDomain);
      if (judgement.verdict !== 'credit' || surroundings === null) return;
      const { template } = judgement.facts;
      const hash = createHash('sha256').update(surroundings).digest();
      const key = `${bank} ${template} ${hash.toString('base64')}`;
      skeletons.note(key, { bank, template, skeleton: surroundings, hash, mails: 1, at });
    },
    /** The last alert of a way is the last that was proven: others show only that something comes. */
    noteProven({ merchant_id: merchantId, arrived_at: arrivedAt, found_in }: Claimed): void {
      keepProven({ merchantId, arrivedAt, way: wayOf({ found_in }) });
    },
    async flush(): Promise<void> {
      const [all, announcedBefore] = [proven.take(), later(clock.now(), -changeForgottenAfter)];
      for (const way of ['forwarding', 'mailbox'] as const) {
        const ofWay = all.filter(one => one.way === way);
        await recordProven(sql, way, ofWay, announcedBefore).catch(error => {
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
  return openUnwritten<Counted & Key>(mostRemembered, (known, one) => ({
    ...one,
    mails: known.mails + one.mails,
  }));
}

/** Writes the figures while mails are judged. The last ones are written when judging is closed. */
export function startWritingFigures(world: Pick<World, 'sql' | 'log'>, figures: BankFigures) {
  return keepWorking(world, { what: 'writing figures of banks', pause: flushEvery }, () => figures.flush());
}
