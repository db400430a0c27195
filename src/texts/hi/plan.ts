import type { TextSet } from '../texts.ts';

export const plan: TextSet['plan'] = {
  plan: 'आपका प्लान',
  used: percent => `${percent}% इस्तेमाल हुआ`,
  monthText:
    'महीना भारत का कैलेंडर महीना है। सीमा पर नए भुगतान नहीं लिए जा सकते; खुले ऑर्डर चुकाए जा सकते हैं। आपकी वेबसाइट को जवाब plan_limit_reached मिलता है।',
  accountsOf: (used, limit) => `${limit} में से ${used}`,
  accountsText: 'सीमा से ऊपर के खाते रुक जाते हैं, सबसे नए पहले; बड़ा प्लान उन्हें तुरंत चालू करता है।',
  history: 'ऑर्डर कितने दिन रहते हैं',
  historyDays: days => `${days} दिन`,
  historyText: 'उसके बाद वे ऑर्डर पेज के महीने की फ़ाइलों में मिलते हैं।',
  months: 'महीनेवार मिली रकम',
  monthsText: months => `${months} महीनों में हर महीने मिली रकम।`,
  emptyTitle: 'अभी कोई रकम नहीं मिली',
  emptyText: 'पहले भुगतान से यह चार्ट शुरू होगा।',
};
