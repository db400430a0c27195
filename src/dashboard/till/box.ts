// The sound box: a second device by the till that shows and says what came in, and says when it cannot see.

import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import type { CustomerLanguage } from '../../texts/language-tags.ts';
import type { Texts } from '../../texts/languages.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { type Answer, get, page, type Visit } from '../frame/route.ts';
import { live } from './counter.ts';
import { voiceOf } from './voice.ts';

const counter = '/dashboard/counter';
const home = `${counter}/box`;

export const boxRoutes = [
  get(home, 'payments.take', showBox),
  get(`${home}/live`, 'payments.take', showBoxLive),
];

async function showBox(world: World, visit: Visit): Promise<Answer> {
  const { texts, business } = visit;
  const words = texts.box;
  const voice = voiceOf(visit);
  // The second is for a device without a voice for the first.
  const speech = [voice, 'en' as const].map(speechIn);
  const body = html`<div class="box" data-box="${JSON.stringify(speech)}">
<div class="box-head"><h1>${words.title} · <bdi>${business.name}</bdi></h1>${plainLink(counter, texts.shell.navigation.counter)}</div>
<div class="box-state" role="status"><p data-when="seeing" hidden>${words.seeing}</p>${(['blind', 'full', 'lost', 'out'] as const).map(when => cannotSee(texts, when))}</div>
<div class="box-start" data-before hidden><button type="button" class="button" data-start>${words.start}</button><p>${words.startText}</p></div>
<noscript><p>${words.noScript}</p></noscript>
<div id="counter-live" data-live="${home}/live?say=${voice}" data-live-always data-live-pause="1000">${await live(world, visit, null, [])}</div>
<div class="box-foot quiet">${(['noVoice', 'noSpeech', 'asleep'] as const).map(lack => html`<p data-lack="${lack}" hidden>${words[lack]}</p>`)}
<button type="button" class="button plain" data-test hidden>${words.test}</button></div>
</div>`;
  return page({ title: words.title, body });
}

/** The same list as the counter's, said in the language that the device has a voice for. */
async function showBoxLive(world: World, visit: Visit): Promise<Answer> {
  return { kind: 'fragment', body: await live(world, visit, null, []) };
}

function speechIn(tag: CustomerLanguage) {
  const { boxIsOn: test, blind, sees: seeing } = customerTexts(tag).spoken;
  return { tag, test, blind, seeing };
}

function cannotSee({ box, till }: Texts, when: 'blind' | 'full' | 'lost' | 'out'): Html {
  const why = when === 'full' ? till.takingsStopped : box.why[when];
  return html`<div data-when="${when}" hidden><p><strong>${box.blind}</strong></p><p>${why}</p>${when === 'out' && linkButton(home, box.signIn)}</div>`;
}
