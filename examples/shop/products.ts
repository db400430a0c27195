export type Product = {
  id: string;
  name: string;
  text: string;
  /** Whole rupees. The price exists only here, on the server. */
  price: number;
};

export const products: readonly Product[] = [
  {
    id: 'assam',
    name: 'Assam breakfast tea',
    text: 'Malty and strong, grown by the Brahmaputra. Takes milk well. 250 g.',
    price: 349,
  },
  {
    id: 'masala',
    name: 'Masala chai mix',
    text: 'Ginger, cardamom, clove and pepper, ground last week. 100 g.',
    price: 199,
  },
  {
    id: 'kulhad',
    name: 'Six kulhads',
    text: 'Fired clay cups from Khurja. The second chai tastes better than the first.',
    price: 540,
  },
];

export function findProduct(id: string | null | undefined): Product | undefined {
  return products.find(product => product.id === id);
}
