const { defineConfig } = require('@medusajs/framework/utils');

/** The drill's shop: nothing but what a payment needs. */
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: 'drill',
      cookieSecret: 'drill',
    },
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 500,
        providers: [
          {
            resolve: '@milaan/medusa',
            id: 'milaan',
            options: {
              baseUrl: process.env.MILAAN_URL,
              apiKey: process.env.MILAAN_API_KEY,
              webhookSecret: process.env.MILAAN_WEBHOOK_SECRET,
              webhookUrl: process.env.DRILL_WEBHOOK_URL,
              successUrl: 'http://127.0.0.1/paid',
              failureUrl: 'http://127.0.0.1/again',
            },
          },
        ],
      },
    },
  ],
});
