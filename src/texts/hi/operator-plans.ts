import type { TextSet } from '../texts.ts';

export const operatorPlans: TextSet['operatorPlans'] = {
  text: 'व्यवसाय महीने में कितना ले सकते हैं, कितने खाते रख सकते हैं और उनके ऑर्डर कितने दिन रहते हैं। “milaan plans apply FILE” से भी बदलते हैं।',
  fields: {
    monthly_limit_paise: 'महीने की रकम',
    account_limit: 'खाते',
    history_days: 'इतिहास',
    upgrade_url: 'upgrade_url',
    title: 'नाम',
    price_paise: 'क़ीमत',
    period_days: 'अवधि',
  },
  notForSale: 'बिकाऊ नहीं',
  noEnd: 'कोई सीमा नहीं',
  days: count => `${count} दिन`,
  added: (plan, fields) => `${plan}: नया: ${fields}`,
  removed: (plan, businesses) => `${plan}: हटेगा; इस पर व्यवसाय: ${businesses}`,
  changed: (plan, field, before, after, businesses) =>
    `${plan}: ${field} ${before} → ${after}; इस पर व्यवसाय: ${businesses}`,
  leaves: (plan, before, after, orders, businesses, day) =>
    `${plan}: इतिहास ${before} → ${after} दिन: ${businesses} व्यवसायों के ${orders} ऑर्डर जाएँगे (तुरंत छिपेंगे, ${day} से हटेंगे)`,
  change: 'प्लान बदलें',
  json: 'सभी प्लान, JSON में',
  jsonHint: 'जो प्लान इसमें नहीं, वह हटेगा; जिस पर व्यवसाय हों, वह नहीं हट सकता।',
  show: 'दिखाएँ कि क्या बदलेगा',
  same: 'यही प्लान पहले से लागू हैं।',
  ask: 'ये प्लान लागू करें?',
  apply: 'लागू करें',
  applied: 'ये प्लान अब लागू हैं।',
  refused: why => `कुछ नहीं बदला: ${why}`,
};
