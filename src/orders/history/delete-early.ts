import { day, later } from '../../base/clock.ts';
import { chosenKinds, earlyDays } from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';
import { deleteKind, type Early, noteEarly, selectEarly, writeEarly } from './queries/early.ts';
import { hiddenFor } from './step.ts';

const businessesInAPage = 500;
const stepSize = 1000;
/** Once a day is enough, and gives an operator a day to correct a clock that is far ahead. */
const every = 1 * day;
/** Either nothing ran for this long, or the clock has jumped. We cannot know which. */
const jump = 3 * day;

/**
 * Deletes what owners, or the operator by a ceiling, want deleted before its order. A choice takes effect two weeks
 * after its last change, so that a stranger's change can be undone. True once all businesses were handled.
 */
export async function deleteEarly(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'log'>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const { sql, config, log } = world;
  const all = chosenKinds.some(kind => config.keep[kind].ceiling !== null);
  for (let after = 0; ; ) {
    const page = await selectEarly(sql, { all, after, limit: businessesInAPage });
    for (const business of page) {
      after = business.merchant_id;
      try {
        await forgetOf(world, business, isOver);
      } catch (error) {
        // One faulty business must not stop the others.
        log.error({ err: error, merchant: business.merchant_id }, 'rows with a shorter retention were kept');
      }
      if (isOver()) return false;
    }
    if (page.length < businessesInAPage) return true;
  }
}

async function forgetOf(
  { sql, clock, config }: Pick<World, 'sql' | 'clock' | 'config'>,
  business: Early,
  isOver: () => boolean,
): Promise<void> {
  const { merchant_id: merchantId } = business;
  const days = earlyDays(config.keep, business.keeps);
  const now = clock.now();
  if (chosenKinds.some(kind => days[kind] !== business.early[kind]))
    return await writeEarly(sql, merchantId, days, now);
  if (isDue(business, now)) {
    for (const kind of chosenKinds) {
      const kept = days[kind];
      if (kept === undefined) continue;
      const forget = () =>
        sql.begin(tx => deleteKind[kind](tx, merchantId, later(now, -kept * day), stepSize));
      while ((await forget()) === stepSize) if (isOver()) return;
    }
  } else if (!isStrange(business, now)) return;
  await noteEarly(sql, merchantId, now);
}

function isDue(business: Early, now: Date): boolean {
  const { early_since: since, early_at: at } = business;
  if (since === null || at === null || isStrange(business, now)) return false;
  return now.getTime() - since.getTime() >= hiddenFor && now.getTime() - at.getTime() >= every;
}

/** Written by a clock that is ahead of ours, or too long ago: the day starts again. */
function isStrange({ early_at: at }: Early, now: Date): boolean {
  const since = now.getTime() - (at?.getTime() ?? 0);
  return since < 0 || since > jump;
}
