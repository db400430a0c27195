import type { wording as english } from '../../en/reasons/wording.ts';
import type { Words } from '../../words.ts';

export const wording: Words<typeof english> = {
  texts_differ: 'मेल का सादा लेख और HTML लेख एक ही बात नहीं कहते।',
  text_too_long: 'लेख किसी भी बैंक अलर्ट से लंबा है।',
  two_wordings: 'लेख में पैसा आने की एक से ज़्यादा बातें हैं।',
  no_amount: 'मेल में लिखी रकम रुपयों में नहीं है।',
  unknown_wording: 'इस बैंक की यह शब्दावली हम नहीं जानते।',
  other_channel: 'पैसा UPI या IMPS के बजाय किसी और रास्ते से आया।',
  other_subject: 'शब्दावली जानी-पहचानी है, पर विषय दूसरा था।',
  subject_amount_differs: 'विषय और लेख में अलग-अलग रकम है।',
  subject_account_differs: 'विषय और लेख में अलग-अलग खाते हैं।',
  words_repeated: 'लेख में {slot} बताने वाले शब्द एक से ज़्यादा बार आए हैं।',
  amount_twice: 'लेख में रकम दो तरह के शब्दों में है।',
  odd_payer_name: 'भुगतान करने वाले के नाम में कोई रकम या संदर्भ जैसी संख्या है।',
  amount_before: 'पैसा आने की बात से पहले कोई और रकम लिखी है।',
  subject_says: 'विषय में “{words}” लिखा है।',
  words_before: 'पैसा आने की बात से पहले “{words}” शब्द हैं।',
  quoted: '{sentence}',
  words_beside: 'पैसा आने की बात के साथ “{words}” शब्द हैं।',
};
