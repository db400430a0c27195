import assert from 'node:assert/strict';
import { accessibilityProblems, desktop, phone } from '../../support/browser.ts';
import { everyPage } from '../../support/every-page.ts';
import { needs } from '../../support/needs.ts';
import { openWidgetStage, type WidgetStage } from '../../support/widget-stage.ts';

const { after, before, test } = needs('Chromium');

let stage: WidgetStage;
before(async () => {
  stage = await openWidgetStage();
});
after(() => stage?.stop());

test('axe finds nothing wrong with any state, light and dark, phone and desktop', async () => {
  const states = (await everyPage(stage)).filter(({ path, before }) => path.startsWith('/') && !before);
  assert.ok(states.length > 20);
  for (const size of [phone, desktop]) {
    const { page, close } = await stage.browser.open({ ...size, reducedMotion: 'reduce' });
    // A page that sends its customer back to the shop stays, or axe would look at the shop.
    await page.route('**://shop.example/**', route => route.fulfill({ status: 204 }));
    for (const { name, path } of states) {
      await page.goto(stage.site.origin + path);
      assert.deepEqual(await accessibilityProblems(page), [], name);
    }
    await close();
  }
});
