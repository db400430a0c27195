import type { MedusaShop } from './open-medusa.ts';

/** `complete` says 'order', or 'refused' while the provider does not authorize the session. */
export type Cart = { id: string; complete(): Promise<'order' | 'refused'> };
export type Session = { id: string; data: { order_id: string; payment_url: string; payable_amount: number } };

/** The storefront's side, by the store API alone. */
export async function newCart(shop: MedusaShop): Promise<Cart> {
  const address = {
    first_name: 'Asha',
    last_name: 'Rao',
    address_1: '12 MG Road',
    city: 'New Delhi',
    postal_code: '110001',
    country_code: 'in',
  };
  const { cart } = await ask(shop, '/store/carts', {
    region_id: shop.facts.region,
    email: 'asha@customer.example',
    shipping_address: address,
    billing_address: address,
    items: [{ variant_id: shop.facts.variant, quantity: 1 }],
  });
  return { id: cart.id, complete: () => complete(shop, cart.id) };
}

export async function newSession(shop: MedusaShop, cart: Cart): Promise<Session> {
  const { payment_collection } = await ask(shop, '/store/payment-collections', { cart_id: cart.id });
  const { payment_collection: started } = await ask(
    shop,
    `/store/payment-collections/${payment_collection.id}/payment-sessions`,
    { provider_id: 'pp_milaan_milaan' },
  );
  return started.payment_sessions[0];
}

async function complete(shop: MedusaShop, cartId: string): Promise<'order' | 'refused'> {
  try {
    const { type } = await ask(shop, `/store/carts/${cartId}/complete`, {});
    return type === 'order' ? 'order' : 'refused';
  } catch (error) {
    if (/400 .*was not authorized with the provider/.test((error as Error).message)) return 'refused';
    throw error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what Medusa answers has its types in Medusa, which is not installed here
async function ask(shop: MedusaShop, path: string, body: unknown): Promise<any> {
  const answer = await fetch(shop.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-publishable-api-key': shop.facts.key },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
