import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { minute } from '../../../src/base/clock.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { customerTexts } from '../../../src/texts/customer-texts.ts';
import { insertFacts } from '../../../src/texts/insert-facts.ts';
import { type CustomerLanguage, customerTags, furtherTags } from '../../../src/texts/language-tags.ts';
import { accessibilityProblems, iphone } from '../../support/browser.ts';
import { addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { languageIn } from '../../support/customer-languages.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { json, mount, pay, type WidgetStage } from '../../support/widget-stage.ts';

export type Screens = Record<string, string>;

/** The screens that a customer may see at shops that speak every language. `byHand` comes first: most shops are paid so. */
export async function addScreens(stage: WidgetStage): Promise<Screens> {
  const { world } = stage;
  const personal = await addTestMerchant(world, {
    name: 'Sharma General Store',
    account: { vpa: 'sharma.general@okhdfcbank' },
  });
  const verified = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5411' } });
  const unwatched = await addTestMerchant(world);
  await world.sql`update merchants set languages = ${furtherTags}::text[],
    contact_phone = '+919812345678', contact_whatsapp = '+919812345678', contact_email = 'orders@chai.example'`;
  const made = async (change: Parameters<typeof addTestOrder>[2] = {}, merchant = personal) =>
    await addTestOrder(world, merchant, { payable: 1_249_37, ...change });
  const received = async (status: string) => {
    const { orderId, path } = await made();
    await world.sql`update orders set status = ${status}, received_paise = 124900 where order_id = ${orderId}`;
    return path;
  };
  const link = async (amounts: Record<string, number>) => {
    const token = newPayToken(personal.merchantId);
    const row = { merchant_id: personal.merchantId, link_id: token.slice(0, 12), token, title: 'Tiffin' };
    await world.sql`
      insert into payment_links ${world.sql({ ...row, ...amounts, made_by: 'a@b.example', created_at: world.clock.now() })}`;
    return `/l/${token}`;
  };
  const paid = await made();
  await setPaid(world, paid);
  const late = (await made({ age: 6 * minute })).path;
  return {
    byHand: (await made()).path,
    receipt: `${paid.path}?stay=1`,
    link: await link({ amount_paise: 49_900 }),
    apps: `${(await made({}, verified)).path}?app=missing`,
    chosen: await link({ least_paise: 10_000, most_paise: 10_00_000_00 }),
    claim: `${(await made({ age: 2 * minute })).path}?claim=open`,
    sent: `${(await made({ age: 2 * minute })).path}?claim=sent`,
    expired: late,
    late: `${late}?stay=1`,
    over: (await made({ age: 20 * minute })).path,
    review: await received('manual_review'),
    failed: await received('failed'),
    unpayable: (await made({ mailbox: false }, unwatched)).path,
    unknown: '/pay/nope',
  };
}

const inLanguage = (path: string, tag: string) => `${path}${path.includes('?') ? '&' : '?'}lang=${tag}`;

/** Nothing hangs over the edge, and no word of a button is cut. A phone's `innerWidth` grows with a page that is too wide. */
async function fits(page: Page, where: string): Promise<void> {
  const wrong = await page.evaluate(`(() => {
    const root = document.querySelector('#pay > div')?.shadowRoot ?? document;
    const cut = [...root.querySelectorAll('a, button, .step, label, h1, h2, dt, .box')]
      .filter(part => part.offsetParent !== null && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1);
    return [document.documentElement.scrollWidth > ${page.viewportSize()!.width} ? 'the page is too wide' : '', ...cut.map(part => part.outerHTML)]
      .filter(text => text !== '');
  })()`);
  assert.deepEqual(wrong, [], where);
}

/** Chromium's own word: boxes in place of letters would prove nothing. */
async function lettersOf(page: Page, tag: CustomerLanguage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 1 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'main' });
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId, selector: 'h1, p, button, dt' });
  const used = new Set<string>();
  for (const one of nodeIds)
    for (const font of (await session.send('CSS.getPlatformFontsForNode', { nodeId: one })).fonts)
      used.add(font.familyName);
  assert.ok(used.has(languageIn(tag).font), `${tag}: ${[...used].join(', ')}`);
  await session.detach();
}

const smallPhones: BrowserContextOptions[] = [360, 320].map(width => ({
  ...iphone,
  viewport: { width, height: 640 },
  reducedMotion: 'reduce',
}));
/** A text that fits here also fits wider phones. */
const smallest = smallPhones[1]!;

/** Each of these screens on small phones: it speaks the language, fits, and axe finds nothing wrong with it. */
export async function walkScreens(
  stage: WidgetStage,
  tag: CustomerLanguage,
  screens: Screens,
): Promise<void> {
  const { page, troubles, close } = await stage.browser.open(smallest);
  for (const [at, [name, path]] of Object.entries(screens).entries()) {
    const where = `${tag} ${name} 320`;
    await page.goto(stage.site.origin + inLanguage(path, tag));
    assert.equal(await page.locator('html').getAttribute('lang'), tag, where);
    await fits(page, where);
    // Words change axe's results little, and colours never, so each language is checked on a third of the screens.
    if ((at + customerTags.indexOf(tag)) % 3 === 0)
      assert.deepEqual(await accessibilityProblems(page), [], where);
  }
  await lettersOf(page, tag);
  assert.deepEqual(troubles, []);
  await close();
}

/** All steps to a personal UPI ID, by their buttons, without scrolling. */
export async function stepsOnFirstScreen(
  stage: WidgetStage,
  tag: CustomerLanguage,
  path: string,
): Promise<void> {
  for (const size of smallPhones) {
    const { page, close } = await stage.browser.open(size);
    await page.goto(stage.site.origin + inLanguage(path, tag));
    for (const part of ['.steps button >> nth=0', '.steps button >> nth=1', '.steps > li:last-child']) {
      const box = await page.locator(part).boundingBox();
      const where = `${tag} ${size.viewport!.width}: ${part} ends at ${box!.y + box!.height}`;
      assert.ok(box!.y > 0 && box!.y + box!.height <= size.viewport!.height, where);
    }
    await close();
  }
}

/** The widget as the shop sets it: everything it says is in that language, from the form to the thanks. */
export async function walkWidget(stage: WidgetStage, tag: CustomerLanguage): Promise<void> {
  const said = customerTexts(tag).widget;
  const created = stage.created();
  stage.shop.answer('/create-paid', json(201, { ...created, status: 'paid', received_amount: 499.37 }));
  stage.shop.answer('/create-open', json(201, created));
  stage.shop.answer('/create-402', json(402, { error: 'plan_limit_reached' }));
  const { page, close } = await stage.browser.open(smallest);
  const open = async (path: string) => {
    await page.goto(
      stage.shop.page(mount(`{ createOrderUrl: '${path}', statusUrl: '/never/', language: '${tag}' }`)),
    );
    await page.getByRole('heading', { name: said.title }).waitFor();
  };
  for (const [path, text] of [
    ['/create-open', insertFacts(said.payExactly, { amount: '₹499.37' })],
    ['/create-paid', insertFacts(said.paid, { amount: '₹499.37' })],
    ['/create-402', said.shopCannot],
  ] as const) {
    await open(path);
    await fits(page, `${tag} form`);
    await pay(page);
    await page.getByText(text, { exact: true }).first().waitFor();
    await fits(page, `${tag} ${path}`);
    assert.deepEqual(await accessibilityProblems(page), [], `${tag} ${path}`);
  }
  await close();
}
