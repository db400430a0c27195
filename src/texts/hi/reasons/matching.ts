import type { matching as english } from '../../en/reasons/matching.ts';
import type { Words } from '../../words.ts';

export const matching: Words<typeof english> = {
  paid: 'ऑर्डर {order} चुका',
  paid_already: 'ऑर्डर {order} पहले ही चुक चुका था; यह उसी रकम का दूसरा भुगतान है',
  too_late: 'ऑर्डर {order} का समय समाप्त होने के दस मिनट से भी बाद पैसा आया',
  other_account: 'अलर्ट ऐसे खाते का है जो इस UPI ID के लिए दर्ज खाता नहीं है',
  counted_before: 'यह भुगतान पहले के एक मेल से गिना जा चुका है',
  near_amounts: 'ठीक इस रकम का कोई ऑर्डर नहीं; कुछ इसके क़रीब हैं',
  no_such_amount: 'उस समय इस रकम का कोई ऑर्डर नहीं था',
};
