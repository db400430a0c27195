import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

/**
 * `node scripts/draw-icons.ts`: the app's icons from our mark, drawn once and committed, because phones take no SVG.
 * A maskable one fills its square, and its sign stays in the middle that every phone leaves: `zoom` below 1 does that.
 */
const folder = new URL('../src/dashboard/frame/app-icons/', import.meta.url);
const logo = readFileSync(new URL('../src/orders/page/browser/icon.svg', import.meta.url), 'utf8');
const icons = [
  { name: 'icon-192.png', size: 192, round: true, zoom: 1 },
  { name: 'icon-512.png', size: 512, round: true, zoom: 1 },
  { name: 'icon-maskable-512.png', size: 512, round: false, zoom: 0.8 },
  { name: 'icon-apple-180.png', size: 180, round: false, zoom: 1 },
];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
const ground = /<rect[^>]*fill="(#\w+)"/.exec(logo)?.[1] ?? '#fff';
for (const { name, size, round, zoom } of icons) {
  await page.setViewportSize({ width: size, height: size });
  const background = round ? 'transparent' : ground;
  await page.setContent(
    `<style>html,body{margin:0;background:${background}}svg{display:block;width:${size}px;height:${size}px;transform:scale(${zoom})}</style>${logo}`,
  );
  writeFileSync(new URL(name, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
