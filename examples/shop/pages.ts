import type { Order } from '../../sdk/src/milaan.ts';
import type { ShopOrder } from './order-book.ts';
import { type Html, html, page, rupees } from './page.ts';
import { findProduct, type Product, products } from './products.ts';

/** Each button has its own order number, so that a double click makes one order. */
export function frontPage(newNumber: () => string): Html {
  const body = html`
<h1>Tea, and what it is drunk from</h1>
<p class="lead">Packed in Guwahati the day you order. Pay with any UPI app.</p>
<div class="shelf">${products.map(product => card(product, newNumber()))}</div>`;
  return page({ title: 'Tea by UPI', body });
}

function card(product: Product, number: string): Html {
  return html`<article class="card">
<img class="picture" src="/pictures/${product.id}.svg" alt="" width="240" height="150">
<h2>${product.name}</h2>
<p>${product.text}</p>
<p class="price">${rupees(product.price)}</p>
<form method="post" action="/buy">
<input type="hidden" name="product" value="${product.id}"><input type="hidden" name="number" value="${number}">
<button>Buy now</button>
</form>
<a class="second" href="/widget/${product.id}">Details</a>
</article>`;
}

/** A product with the widget. Its element has the address for creating orders, so that no script is inline. */
export function widgetPage(product: Product, number: string, baseUrl: string): Html {
  const body = html`
<p><a href="/">← All teas</a></p>
<div class="product">
<div><img class="picture" src="/pictures/${product.id}.svg" alt="" width="240" height="150"></div>
<div>
<h1>${product.name}</h1>
<p>${product.text}</p>
<p class="price">${rupees(product.price)}</p>
<p class="quiet">Delivered free within India in three to five days.</p>
<div id="pay" class="widget" data-create="/create-order?product=${product.id}&amp;number=${number}"
  data-status="/order-status/${number}/" data-amount="${product.price}"></div>
</div>
</div>`;
  return page({ title: product.name, body, scripts: [`${baseUrl}/embed/milaan.js`, '/widget.js'] });
}

/** Step 5: the page for a returning customer. `found` is Milaan's answer just now, and not what the address says. */
export function backPage(order: ShopOrder, found: Order | null): Html {
  const name = findProduct(order.productId)?.name ?? order.productId;
  if (order.state === 'paid' || found?.status === 'paid') {
    const body = html`<section class="card notice good"><p class="mark" aria-hidden="true">✓</p>
<h1>Thank you, it is paid</h1>
<p>${name}, ${rupees(order.amount)}. We pack it today, and it is with you in three to five days.</p>
<p class="quiet">Order ${order.number}</p><p><a class="button" href="/">Back to the shop</a></p></section>`;
    return page({ title: 'Paid', body });
  }
  if (order.state === 'expired' || found?.status === 'expired' || found?.status === 'failed') {
    const body = html`<section class="card notice"><h1>Not paid in time</h1>
<p>The time to pay for ${name} is over, and no payment has reached us. If you have paid, keep this page open:
a payment that the bank confirms late still counts, and it will say so here.</p>
<p class="quiet">Order ${order.number}</p><p><a class="button" href="/">Try again</a></p></section>`;
    return page({ title: 'Not paid', body, live: true });
  }
  if (found?.status === 'manual_review') {
    const body = html`<section class="card notice"><h1>We are looking at your payment</h1>
<p>Money for ${name} has come, but not its exact sum. Please do not pay again: we will tell you today what becomes of it.</p>
<p class="quiet">Order ${order.number}</p></section>`;
    return page({ title: 'Looking at it', body, live: true });
  }
  const body = html`<section class="card notice"><h1>Waiting for the bank</h1>
<p>We have not heard of your payment for ${name} yet. This page looks again by itself.</p>
${found !== null && html`<p><a class="button" href="${found.payment_url}">Back to the payment page</a></p>`}
<p class="quiet">Order ${order.number}</p></section>`;
  return page({ title: 'Waiting', body, live: true });
}

export function ordersPage(orders: readonly ShopOrder[], now: Date): Html {
  const body = html`
<h1>Orders</h1>
<p class="lead">For the shop's own people. An order turns paid when a signed webhook arrives, or when it is asked for after 15 minutes.</p>
${orders.length === 0 && html`<p class="card">Nobody has bought anything yet.</p>`}
<ul class="orders">${orders.map(order => row(order, now))}</ul>
<form method="post" action="/reconcile"><button class="plain">Reconcile orders older than 15 minutes</button></form>
`;
  return page({ title: 'Orders', body, live: true });
}

function row(order: ShopOrder, now: Date): Html {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(order.createdAt)) / 60_000));
  const words = { webhook: 'told by webhook', reconciliation: 'found by reconciliation' };
  return html`<li class="card" data-order="${order.number}" data-state="${order.state}">
<span class="state ${order.state}">${order.state}</span>
<strong>${findProduct(order.productId)?.name ?? order.productId}</strong> <span>${rupees(order.amount)}</span>
<span class="quiet">${order.orderId ?? 'not created'} · ${minutes} min ago${
    order.learntBy !== null && html` · ${words[order.learntBy]}`
  }${order.bankReference !== null && html` · bank reference ${order.bankReference}`}</span>
</li>`;
}

export function problemPage(title: string, text: string): Html {
  const body = html`<section class="card notice"><h1>${title}</h1><p>${text}</p>
<p><a class="button" href="/">Back to the shop</a></p></section>`;
  return page({ title, body });
}
