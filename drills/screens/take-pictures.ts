import { writeFileSync } from 'node:fs';
import { desktop, openBrowser, phone } from '../../test/support/browser.ts';
import { smallPng } from '../../test/support/small-png.ts';
import { madeFrom, pictures, picturesFolder, recordHashes } from './pictures.ts';
import { address, evening, openSaturday } from './saturday.ts';

/** The pictures of README and docs, from one lively shop and the tests' fonts. */
export async function takePictures(only: readonly string[] | undefined): Promise<void> {
  const hashes: Record<string, string> = {};
  const sizes = {
    phone: { ...phone, viewport: { width: 360, height: 720 } },
    desktop,
    // A4 without its margins.
    sheet: { viewport: { width: 720, height: 1040 }, deviceScaleFactor: 2 },
  };
  const shop = await openSaturday();
  const browser = await openBrowser({ fonts: 'usual' });
  try {
    for (const picture of pictures.filter(({ name }) => only?.includes(name) ?? true)) {
      const { name, path, size, open, language = 'en' } = picture;
      const { page, close } = await browser.open({
        ...sizes[size],
        colorScheme: 'light',
        reducedMotion: 'reduce',
        locale: `${language}-IN`,
        timezoneId: 'Asia/Kolkata',
      });
      if (!open)
        await page.context().addCookies([{ name: '__Host-milaan', value: shop.token, url: address }]);
      await page.clock.install({ time: evening });
      // Pictures show a shop's own address; what answers is here. Streams would never end.
      await page.route(`${address}/**`, async route => {
        const url = route.request().url();
        if (route.request().headers()['accept'] === 'text/event-stream') return await route.abort();
        await route.fulfill({ response: await route.fetch({ url: url.replace(address, shop.origin) }) });
      });
      if (size === 'sheet') await page.emulateMedia({ media: 'print' });
      await page.goto(address + path(shop));
      if (picture.press) await page.click(picture.press);
      await page.evaluate('document.fonts.ready');
      writeFileSync(`${picturesFolder}/${name}.png`, smallPng(await page.screenshot()));
      hashes[name] = await madeFrom(shop, picture);
      console.log(`${name}: ${path(shop)}`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await close();
    }
    recordHashes(hashes);
  } finally {
    await browser.stop();
    await shop.stop();
  }
}
