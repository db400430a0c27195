import type { wording as english } from '../../en/reasons/wording.ts';
import type { Translated } from '../../texts.ts';

export const wording: Translated<typeof english> = {
  texts_differ: 'मेल का सादा लेख और HTML लेख एक ही बात नहीं कहते।',
  text_too_long: 'लेख किसी भी बैंक अलर्ट से लंबा है।',
  many_splits: 'लेख को एक से ज़्यादा तरह से पढ़ा जा सकता है: भुगतान करने वाले के लिखे में बैंक के शब्द हैं।',
  row_odd: 'इस अलर्ट की पंक्ति "{row}" अनजानी है, नहीं है, दो बार है या कुछ और कहती है।',
  two_wordings: 'लेख में पैसा आने की एक से ज़्यादा बातें हैं।',
  no_amount: 'मेल में लिखी रकम रुपयों में नहीं है।',
  unknown_wording: 'इस बैंक की यह शब्दावली हम नहीं जानते।',
  other_channel: 'पैसा UPI या IMPS के बजाय किसी और रास्ते से आया।',
  channel_not_named: 'मेल यह नहीं बताता कि पैसा UPI या IMPS से आया।',
  other_subject: 'शब्दावली जानी-पहचानी है, पर विषय दूसरा था।',
  subject_amount_differs: 'विषय और लेख में अलग-अलग रकम है।',
  subject_account_differs: 'विषय और लेख में अलग-अलग खाते हैं।',
  odd_payer_name: 'भुगतान करने वाले के नाम में कोई रकम या रेफ़रेंस जैसी संख्या है।',
  quoted: '{sentence}',
  words_repeated: 'भुगतान की कोई बात बताने वाले शब्द लेख में एक से ज़्यादा बार आए हैं।',
  unknown_line: 'पैसा आने की बात से पहले एक ऐसी पंक्ति है जो हम इस बैंक की नहीं जानते।',
  payers_place: 'पैसा आने की बात ऐसी जगह है जहाँ भुगतान करने वाले का लिखा भी हो सकता है।',
};
