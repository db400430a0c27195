// The sound box: a second device by the till that shows and says what came in, and says when it cannot see.

import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { languages, type Texts, textsIn } from '../../texts/languages.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { type Answer, get, page, type Visit } from '../frame/route.ts';
import { live } from './counter.ts';

const counter = '/dashboard/counter';
const home = `${counter}/box`;

export const boxRoutes = [
  get(home, 'payments.take', showBox),
  get(`${home}/live`, 'payments.take', showBoxLive),
];

async function showBox(world: World, visit: Visit): Promise<Answer> {
  const { texts, business } = visit;
  const words = texts.box;
  // The second is for a device without a voice for the first.
  const speech = [texts, textsIn('en')].map(speechIn);
  const body = html`<div class="box" data-box="${JSON.stringify(speech)}">
<div class="box-head"><h1>${words.title} · <bdi>${business.name}</bdi></h1>${plainLink(counter, texts.shell.navigation.counter)}</div>
<div class="box-state" role="status"><p data-when="seeing" hidden>${words.seeing}</p>${(['blind', 'lost', 'out'] as const).map(when => cannotSee(texts, when))}</div>
<div class="box-start" data-before hidden><button type="button" class="button" data-start>${words.start}</button><p>${words.startText}</p></div>
<noscript><p>${words.noScript}</p></noscript>
<div id="counter-live" data-live="${home}/live?say=${texts.tag}" data-live-always>${await live(world, visit, null)}</div>
<div class="box-foot quiet">${(['noVoice', 'noSpeech', 'asleep'] as const).map(lack => html`<p data-lack="${lack}" hidden>${words[lack]}</p>`)}
<button type="button" class="button plain" data-test hidden>${words.test}</button></div>
</div>`;
  return page({ title: words.title, body });
}

/** The same list as the counter's, said in the language that the device has a voice for. */
async function showBoxLive(world: World, visit: Visit): Promise<Answer> {
  const { texts, query } = visit;
  const { till } = languages.find(({ tag }) => tag === query.text('say')) ?? texts;
  const said = { ...visit, texts: { ...texts, till: { ...texts.till, spoken: till.spoken } } };
  return { kind: 'fragment', body: await live(world, said, null) };
}

function speechIn({ tag, box }: Texts) {
  const { spokenTest, spokenBlind, spokenSeeing } = box;
  return { tag, test: spokenTest, blind: spokenBlind, seeing: spokenSeeing };
}

function cannotSee({ box }: Texts, when: 'blind' | 'lost' | 'out'): Html {
  return html`<div data-when="${when}" hidden><p><strong>${box.blind}</strong></p><p>${box.why[when]}</p>${when === 'out' && linkButton(home, box.signIn)}</div>`;
}
