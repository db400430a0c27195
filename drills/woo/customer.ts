import type { Page } from 'playwright-core';
import { owner, type WooShop } from './open-shop.ts';

/** Takes a picture where one is wanted. */
export type Picture = (name: string, page: Page) => Promise<void>;

export type Checkout = 'classic' | 'blocks';

const customer = {
  email: 'asha@customer.example',
  firstName: 'Asha',
  lastName: 'Rao',
  street: '12 MG Road',
  city: 'New Delhi',
  postcode: '110001',
  phone: '9811111111',
};

const placeOrderButton: Record<Checkout, string> = {
  classic: '#place_order',
  blocks: '.wc-block-components-checkout-place-order-button',
};

/** Puts the product into the cart, fills the form and presses the button, as a customer does. */
export async function orderIn(
  page: Page,
  shop: WooShop,
  checkout: Checkout,
  product: number,
  picture: Picture = async () => {},
): Promise<void> {
  const address = shop.run<string>('checkout', { kind: checkout });
  await page.context().clearCookies();
  // The page of the scene before may be about to go to its thanks.
  await page.goto('about:blank');
  await page.goto(`${shop.url}/?add-to-cart=${product}`);
  await page.goto(address);
  await (checkout === 'classic' ? fillClassic(page) : fillBlocks(page));
  await page.locator(placeOrderButton[checkout]).scrollIntoViewIfNeeded();
  await picture('checkout', page);
  await placeOrder(page, checkout);
}

/** The button below the form, the first time and after a refusal. */
export async function placeOrder(page: Page, checkout: Checkout): Promise<void> {
  await page.click(placeOrderButton[checkout]);
}

async function fillClassic(page: Page): Promise<void> {
  const fields: Record<string, string> = {
    first_name: customer.firstName,
    last_name: customer.lastName,
    address_1: customer.street,
    city: customer.city,
    postcode: customer.postcode,
    phone: customer.phone,
    email: customer.email,
  };
  for (const [name, value] of Object.entries(fields)) await page.fill(`#billing_${name}`, value);
  await page.waitForSelector('#payment_method_milaan', { state: 'attached' });
  // WooCommerce redraws the lower half after the address changed; a click before that is lost.
  await page.waitForFunction('!document.querySelector(".blockUI")');
  await page.locator('label[for="payment_method_milaan"]').click();
}

async function fillBlocks(page: Page): Promise<void> {
  await page.fill('#email', customer.email);
  const fields: Record<string, string> = {
    first_name: customer.firstName,
    last_name: customer.lastName,
    address_1: customer.street,
    city: customer.city,
    postcode: customer.postcode,
  };
  for (const [name, value] of Object.entries(fields)) await page.fill(`#billing-${name}`, value);
  await page.locator('label[for="radio-control-wc-payment-method-options-milaan"]').click();
  await page.waitForFunction(
    '!document.querySelector(".wc-block-components-loading-mask, .wc-block-components-skeleton__element")',
  );
}

export async function signIn(page: Page, shop: WooShop): Promise<void> {
  await page.goto(`${shop.url}/wp-login.php`);
  await page.fill('#user_login', owner.name);
  await page.fill('#user_pass', owner.password);
  await Promise.all([page.waitForURL(/wp-admin/), page.click('#wp-submit')]);
}
