import { type Html, html } from '../../base/http/html.ts';

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
