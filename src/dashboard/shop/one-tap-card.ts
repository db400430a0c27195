import type { Html } from '../../base/http/html.ts';
import { mostPaise, paiseFromText, rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { selectOneTapLimit, writeOneTapLimit } from '../../payments/review/one-tap.ts';
import { field, postForm, whenFresh } from '../frame/controls.ts';
import { rupees, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { fresh, post, redirect, type Visit } from '../frame/route.ts';

const rules = '/dashboard/shop/rules';
const path = `${rules}/one-tap` as const;

export const oneTapRoutes = [
  post(path, fresh('upi.ceiling'), async (world, visit) => {
    const { form, merchantId, texts } = visit;
    const words = texts.counter.oneTap;
    const typed = form.text('below');
    const below = typed === '' ? null : paiseFromText(typed);
    const back = `${rules}#one-tap`;
    if (typed !== '' && (below === null || below < 1 || below > mostPaise))
      return redirect(back, words.wrong);
    const shown = below === null ? '' : rupeesText(below);
    await makeChange(world, visit, async tx => {
      await writeOneTapLimit(tx, merchantId, below);
      return { action: 'one_tap.choose', subject: shown === '' ? 'off' : 'on', details: { below: shown } };
    });
    return redirect(back, words.saved);
  }),
];

/** The owner's limit for orders that are accepted with one tap; a card of the rules. */
export async function oneTapCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const words = visit.texts.counter.oneTap;
  const below = await selectOneTapLimit(sql, visit.merchantId);
  const value = below === null ? '' : rupeesText(below).replace('.00', '');
  const form = () =>
    postForm(
      path,
      visit.texts.shell.save,
      field('below', words.field, { value, inputmode: 'decimal', maxlength: 12 }),
    );
  return titledCard({ title: words.title, id: 'one-tap' })`
<p>${below === null ? words.isOff : words.isOn({ sum: rupees(below) })}</p><p class="quiet">${words.explain}</p>
${visit.may('upi.ceiling') && whenFresh(visit, form)}`;
}
