const flows = require('@medusajs/medusa/core-flows');
const { writeFileSync } = require('node:fs');

/** `medusa exec ./seed.js`: a region with rupees and Milaan, a product, and a key for the storefront. */
exports.default = async function seed({ container }) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Drill' }] });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      { name: 'India', currency_code: 'inr', countries: ['in'], payment_providers: ['pp_milaan_milaan'] },
    ],
  });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: 'Tea',
        status: 'published',
        options: [{ title: 'Size', values: ['One'] }],
        variants: [
          {
            title: 'One',
            options: { Size: 'One' },
            manage_inventory: false,
            prices: [{ amount: 640, currency_code: 'inr' }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const facts = { region: region.id, key: key.token, variant: product.variants[0].id };
  writeFileSync(process.env.DRILL_FACTS, JSON.stringify(facts));
};
