import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Asset } from '../src/base/http/asset.ts';
import { paise } from '../src/base/money.ts';
import { showOptional } from '../src/orders/optional-fields.ts';
import { linkOf } from '../src/orders/order.ts';
import { buildBrowser } from '../src/orders/page/build-browser.ts';
import { pageTexts } from '../src/orders/page/page-frame.ts';
import type { PageOrder } from '../src/orders/page/queries.ts';
import { renderPage } from '../src/orders/page/render-page.ts';
import { qrSvg } from '../src/orders/upi-link.ts';
import { type CustomerLanguage, customerTags, furtherTags } from '../src/texts/language-tags.ts';

export type Size = {
  what: string;
  brotli: number;
  gzip: number;
  limit: { of: 'brotli' | 'gzip'; bytes: number } | null;
};

const kilobyte = 1024;

/** The bytes that a customer downloads, with their limits. The page counts by gzip, the larger of the two. */
export async function measureSizes(): Promise<Size[]> {
  const files = await buildBrowser();
  const kinds = ['merchant', 'personal'] as const;
  const [html] = kinds
    .flatMap(kind => customerTags.map(tag => pageWithoutQr(tag, kind)))
    .sort((a, b) => b.gzip.length - a.gzip.length);
  const [style, pageScript, widget, ...said] = await Promise.all(
    [files.style, files.script, files.widget, ...files.widgetTexts.values()].map(compressed),
  );
  const [longest] = said.sort((a, b) => b.brotli.length - a.brotli.length);
  const page = [html!, style!, pageScript!];
  const sum = (of: 'brotli' | 'gzip') => page.reduce((bytes, part) => bytes + part[of].length, 0);
  const size = (what: string, part: { brotli: Buffer; gzip: Buffer }): Size => ({
    what,
    brotli: part.brotli.length,
    gzip: part.gzip.length,
    limit: null,
  });
  return [
    size('page HTML, beside the QR', html!),
    size('page CSS', style!),
    size('page script', pageScript!),
    {
      what: 'page together',
      brotli: sum('brotli'),
      gzip: sum('gzip'),
      limit: { of: 'gzip', bytes: 15 * kilobyte },
    },
    size('widget, a further language', longest!),
    { ...size('widget', widget!), limit: { of: 'brotli', bytes: 8 * kilobyte } },
  ];
}

async function compressed(asset: Asset): Promise<{ brotli: Buffer; gzip: Buffer }> {
  return { brotli: await asset.compressed('br'), gzip: await asset.compressed('gzip') };
}

/** The longest page of a language and a kind of account: on a phone, with every banner and a shop's own look. */
function pageWithoutQr(
  tag: CustomerLanguage,
  kind: PageOrder['account_kind'],
): { brotli: Buffer; gzip: Buffer } {
  const created = Date.UTC(2026, 0, 1);
  const order: PageOrder = {
    merchant_id: 1,
    order_id: 'ML-0123456789',
    merchant_order_id: 'cart-1',
    amount_paise: paise(499_00),
    payable_paise: paise(499_37),
    received_paise: null,
    given_back_paise: null,
    link_token: null,
    status: 'pending',
    created_at: new Date(created),
    expires_at: new Date(created + 300_000),
    paid_at: null,
    pay_token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    account_id: 'acc_1',
    success_url: 'https://shop.example.in/done',
    failure_url: 'https://shop.example.in/failed',
    webhook_url: 'https://shop.example.in/hook',
    customer: null,
    ...showOptional({}),
    vpa: 'sharma.general@okhdfcbank',
    payee_name: 'Sharma General Store',
    account_kind: kind,
    merchant_code: '5411',
    shop: 'Sharma General Store',
    languages: [...furtherTags],
    purpose: 'Tuition fee, November',
    colour: '7a1fa2',
    logo: '0123456789abcdef0123456789abcdef.webp',
    is_unseen: false,
    confirmable: true,
    contact_phone: '+919812345678',
    contact_whatsapp: '+919812345678',
    contact_email: 'orders@sharma.example.in',
  };
  const address = (name: string) => `/checkout/page-0123456789ab.${name}`;
  const page = renderPage({
    order,
    now: order.created_at,
    texts: pageTexts(tag, customerTags),
    phone: kind === 'personal' ? 'ios' : 'android',
    insideApp: true,
    paymentUrl: `https://pay.example.in/pay/${order.pay_token}`,
    stays: false,
    claim: null,
    appMissing: true,
    blind: true,
    files: { script: address('js'), style: address('css'), icon: address('svg') },
    extra: null,
  }).text.replace(qrSvg(linkOf(order)), '');
  return { brotli: brotliCompressSync(page), gzip: gzipSync(page) };
}
