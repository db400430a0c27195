import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { type CustomerLanguage, customerTags, languageTags } from '../../texts/language-tags.ts';
import { plainLink } from '../frame/controls.ts';
import { type Answer, get, page, type Visit } from '../frame/route.ts';
import { selectLanguages } from '../shop/queries.ts';
import { announceQuestion, findUnasked } from './announce.ts';
import { livePayments, saysPaise, voiceOf } from './counter.ts';
import { counterPath } from './payment-page.ts';
import { findUnseen, sightBands } from './unseen-payments.ts';

const box = `${counterPath}/box` as const;

export const soundBoxRoutes = [
  get(box, 'payments.take', showBox),
  get(`${box}/live`, 'payments.take', async (world, visit) => ({
    kind: 'fragment',
    body: await livePayments(world, visit),
  })),
];

/** The sound box: a second device at the counter. It shows and speaks payments, and says when it cannot see them. */
async function showBox(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchant, merchantId } = visit;
  const words = texts.box;
  const [unseen, unasked, shops] = await Promise.all([
    findUnseen(world, visit),
    findUnasked(world.sql, merchantId),
    selectLanguages(world.sql, merchantId),
  ]);
  const voice = voiceOf(visit);
  const offered = customerTags.filter(tag => [...languageTags, voice, ...shops].includes(tag));
  const body = html`<div class="box" data-box="${JSON.stringify(offered.map(speechIn))}">
<div class="box-head"><h1>${words.title} · <bdi>${merchant.name}</bdi></h1>${plainLink(counterPath, texts.counter.places.counter)}</div>
<div class="box-state"><p class="band" data-when="seeing" role="status" hidden>${unasked.length === 0 ? words.seeing : words.seeingCounter}</p>${sightBands(visit, unseen, box, `${words.notListening} `)}</div>
${announceQuestion(visit, unasked, box)}
<div class="box-start" data-before hidden><button type="button" class="button wide" data-start>${words.start}</button><p class="quiet">${words.startText}</p></div>
<noscript><p>${words.noScript}</p></noscript>
<div id="counter-live" data-live="${box}/live?say=${voice}" data-live-always data-live-pause="1000">${await livePayments(world, visit)}</div>
<div class="box-foot quiet">${(['noVoice', 'noSpeech', 'asleep'] as const).map(lack => html`<p data-lack="${lack}" hidden>${words[lack]}</p>`)}
<div class="between">${voiceChoice(visit, offered, voice)}<label class="beside"><input type="checkbox" data-paise${saysPaise(visit) && html` checked`}> ${words.sayPaise}</label><button type="button" class="button plain" data-test hidden>${words.test}</button></div></div>
</div>`;
  return page({ title: words.title, body });
}

function speechIn(tag: CustomerLanguage) {
  const { boxIsOn: test, blind, sees: seeing } = customerTexts(tag).spoken;
  return { tag, test, blind, seeing };
}

/** English, Hindi and the customers' languages. The device keeps the choice, also for the counter's sound. */
function voiceChoice({ texts }: Visit, offered: readonly CustomerLanguage[], voice: CustomerLanguage): Html {
  return html`<select data-voice aria-label="${texts.box.voice}">${offered.map(
    tag =>
      html`<option value="${tag}" lang="${tag}"${tag === voice && html` selected`}>${customerTexts(tag).page.language}</option>`,
  )}</select>`;
}
