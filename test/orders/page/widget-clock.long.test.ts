import assert from 'node:assert/strict';
import { later, minute, second, systemClock } from '../../../src/base/clock.ts';
import { setPaid } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import { openShop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay, type WidgetStage } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

/** A shop's server on another origin than its page: its answers may be read, their Date may not. */
const stage = use(openWidgetStage);
const server = use(() => openShop(stage.site.origin));

const readable = { 'access-control-allow-origin': '*' };

function answerAll(path: string, answer: () => ReturnType<typeof json>): void {
  server.answer(path, ({ method }) =>
    method === 'OPTIONS'
      ? json(204, null, { ...readable, 'access-control-allow-headers': 'content-type' })
      : answer(),
  );
}

async function openOnPhone(wrongBy: number, options: string) {
  const visit = await stage.browser.open();
  await installClock(visit.page, { time: later(systemClock.now(), wrongBy) });
  await visit.page.goto(stage.shop.page(mount(options), { calls: server.origin }));
  await pay(visit.page);
  return visit;
}

for (const [name, wrongBy] of [
  ['fast', 20 * minute],
  ['slow', -20 * minute],
] as const) {
  test(`a phone whose clock is 20 minutes ${name} shows the QR, counts right and sees the payment`, async () => {
    stage.world.clock.set(systemClock.now());
    const { body } = await createdBy(stage);
    answerAll('/create', () => json(201, JSON.parse(body), readable));
    const { page, troubles, close } = await openOnPhone(
      wrongBy,
      `{ createOrderUrl: '${server.origin}/create' }`,
    );
    await page.locator('svg.qr').waitFor();
    assert.match((await page.getByRole('timer').textContent())!, /^(5:00|4:\d\d)$/);
    await page.clock.runFor(2_100);
    await until('the public status is read', () => stage.site.polls.length > 0);
    // Its time sets the page's own right.
    await answersRead(page);
    await until('it counts on', async () => {
      await page.clock.runFor(second);
      const left = (await page.getByRole('timer').textContent())!;
      assert.match(left, /^(5:00|4:\d\d)$/);
      return left !== '5:00';
    });
    await setPaid(stage.world, { orderId: (JSON.parse(body) as { order_id: string }).order_id });
    await page.clock.runFor(2_100);
    await page.getByText('There is nothing more to pay.').first().waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });

  test(`without any server’s time the widget asks until 15 minutes after it was shown, with a clock 20 minutes ${name}`, async () => {
    const order = stage.created();
    let asked = 0;
    answerAll('/create', () => json(201, order, readable));
    answerAll('/status/ML-0000000042', () => {
      asked++;
      return json(200, { status: asked < 3 ? 'pending' : 'expired' }, readable);
    });
    const { page, close } = await openOnPhone(
      wrongBy,
      `{ createOrderUrl: '${server.origin}/create', statusUrl: '${server.origin}/status/' }`,
    );
    await page.getByRole('timer').waitFor();
    const ask = async (rush: number) => {
      const before = asked;
      await page.clock.fastForward(rush);
      await until('it is asked again', () => asked > before);
      await answersRead(page);
    };
    await ask(2_100);
    await ask(2_100);
    await ask(5 * minute);
    await page.getByText('This payment has expired').first().waitFor();
    // The browser's own clock runs on: a minute of it may have passed.
    await ask(9 * minute);
    assert.equal(await page.getByText('No payment of this exact amount was found').count(), 0);
    await ask(minute);
    await page.getByText('No payment of this exact amount was found').first().waitFor();
    const before = asked;
    await page.clock.runFor(20 * second);
    assert.equal(asked, before);
    await close();
  });
}

test('a clock that is set while the QR is shown neither removes it nor stops the asking', async () => {
  let asked = 0;
  answerAll('/create', () => json(201, stage.created(), readable));
  answerAll('/status/ML-0000000042', () => {
    asked++;
    return json(200, { status: 'pending' }, readable);
  });
  const { page, close } = await openOnPhone(
    0,
    `{ createOrderUrl: '${server.origin}/create', statusUrl: '${server.origin}/status/' }`,
  );
  await page.getByRole('timer').waitFor();
  for (const moved of [20 * minute, -20 * minute]) {
    const before = asked;
    await page.clock.setSystemTime(later(systemClock.now(), moved));
    await page.clock.runFor(4_500);
    await until('it goes on asking', () => asked >= before + 2);
    await answersRead(page);
    assert.equal(await page.getByRole('timer').count(), 1);
  }
  await close();
});

test('a shop’s server with a wrong clock ends no order that it calls pending', async () => {
  const wrong = { ...readable, 'access-control-expose-headers': 'Date' };
  const date = later(systemClock.now(), 20 * minute).toUTCString();
  let asked = 0;
  answerAll('/create', () => json(201, stage.created(), { ...wrong, date }));
  answerAll('/status/ML-0000000042', () => {
    asked++;
    return json(200, { status: 'pending' }, { ...wrong, date });
  });
  const { page, close } = await openOnPhone(
    0,
    `{ createOrderUrl: '${server.origin}/create', statusUrl: '${server.origin}/status/' }`,
  );
  await page.getByRole('timer').waitFor();
  await page.clock.runFor(2_100);
  await until('it asks', () => asked > 0);
  await answersRead(page);
  await page.clock.runFor(2_100);
  await until('it asks again', () => asked > 1);
  await answersRead(page);
  assert.equal(await page.getByRole('timer').count(), 1);
  await close();
});

async function createdBy({ site, merchant }: WidgetStage): Promise<{ body: string }> {
  const answer = await fetch(`${site.origin}/api/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey },
    body: JSON.stringify({
      amount: 499,
      merchant_order_id: `clock-${performance.now()}`,
      success_url: 'https://shop.example.com/done',
      failure_url: 'https://shop.example.com/failed',
      webhook_url: 'https://shop.example.com/hook',
    }),
  });
  return { body: await answer.text() };
}
