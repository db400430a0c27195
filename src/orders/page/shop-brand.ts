import type { FastifyRequest } from 'fastify';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { forEver } from '../../base/http/asset.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { LogoType } from '../../business/merchants/read-logo.ts';
import { type Shades, shopColours } from '../../business/merchants/shop-colours.ts';

export type ShopBrand = { merchant_id: number; colour: string | null; logo: string | null };

/** The address contains the picture's hash, so that browsers can keep it. */
export function logoAddress({ merchant_id, logo }: ShopBrand): string | null {
  return logo === null ? null : `/shop-logos/${merchant_id}/${logo}`;
}

export function colourAddress({ colour }: ShopBrand): string | null {
  return colour === null ? null : `/shop-colours/${colour}.css`;
}

/** The payee. The picture says nothing that the name does not say. */
export function shopName(shop: ShopBrand & { shop: string }, paying: string): Html {
  const logo = logoAddress(shop);
  return html`<div class="shop">${logo !== null && html`<img src="${logo}" alt="" width="48" height="48">`}
<div><p class="quiet">${paying}</p>
<h1 id="shop"><bdi>${shop.shop}</bdi></h1></div></div>`;
}

const types: Record<LogoType, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

/** Serves shops' pictures and colours from our origin: the pages' policy allows no other, and nothing inline. */
export function serveShopBrand(app: App, { sql }: Pick<World, 'sql'>): void {
  app.get('/shop-logos/:merchant/:name', async (request: LogoRequest, reply) => {
    const { merchant, name } = request.params;
    const type = /^[0-9a-f]{32}\.(png|jpg|webp)$/.exec(name)?.[1] as LogoType | undefined;
    if (type === undefined || !/^[1-9]\d{0,14}$/.test(merchant)) throw new ApiError('not_found');
    const [found] = await withDeadline(sql<{ bytes: Buffer }[]>`
      select bytes from shop_logos where merchant_id = ${Number(merchant)} and name = ${name}`);
    if (!found) throw new ApiError('not_found');
    // These are a stranger's bytes. If opened alone they must be a picture, and never a page of ours.
    return reply
      .headers({
        'content-type': types[type],
        'cache-control': forEver,
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(found.bytes);
  });
  // The address contains the colour, so nothing is looked up, and all shops with that colour share one file.
  app.get('/shop-colours/:file', (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const colour = /^([0-9a-f]{6})\.css$/.exec(request.params.file)?.[1];
    if (colour === undefined) throw new ApiError('not_found');
    const { day, night } = shopColours(colour);
    return reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': forEver })
      .send(`${rule(day)}@media(prefers-color-scheme:dark){${rule(night)}}`);
  });
}

type LogoRequest = FastifyRequest<{ Params: { merchant: string; name: string } }>;

function rule({ deep, onDeep, tint }: Shades): string {
  return `:root{--deep:${deep};--on-deep:${onDeep};--tint:${tint}}`;
}
