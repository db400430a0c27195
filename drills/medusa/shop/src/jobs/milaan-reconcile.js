const { reconcile } = require('@milaan/medusa/reconcile');

exports.default = reconcile({ baseUrl: process.env.MILAAN_URL, apiKey: process.env.MILAAN_API_KEY });
exports.config = { name: 'milaan-reconcile', schedule: '* * * * *' };
