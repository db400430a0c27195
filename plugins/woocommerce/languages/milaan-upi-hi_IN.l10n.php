<?php

// The Hindi of this plugin, in the form that WordPress reads from 6.5 on.
return [
    'language' => 'hi_IN',
    'messages' => [
        'Settings'
            => 'सेटिंग',
        'A UPI payment for an order that does not exist'
            => 'ऐसे ऑर्डर का UPI भुगतान जो मौजूद नहीं है',
        '%1$s came for %2$s (%3$s), but the shop has no such order any more. Look it up in Milaan and give the money back if nothing is owed for it.'
            => '%2$s (%3$s) के लिए %1$s आए, पर दुकान में अब ऐसा कोई ऑर्डर नहीं है। Milaan में देखें और अगर इसके बदले कुछ देना नहीं है तो पैसे लौटा दें।',
        'Please give the address of your Milaan, such as https://pay.example.in. It begins with https://, because the key travels over it.'
            => 'कृपया अपने Milaan का पता दें, जैसे https://pay.example.in. वह https:// से शुरू होता है, क्योंकि कुंजी उसी से जाती है।',
        'That took too long, or was done already. Please connect again.'
            => 'इसमें बहुत समय लग गया, या यह पहले ही हो चुका है। कृपया फिर से जोड़ें।',
        'Not connected: it was declined in Milaan.'
            => 'नहीं जुड़ा: Milaan में मना कर दिया गया।',
        'Not connected: %s. Please connect again.'
            => 'नहीं जुड़ा: %s. कृपया फिर से जोड़ें।',
        'Please give the whole API key (ml_live_… or ml_test_…) and the whole webhook secret (whsec_…).'
            => 'कृपया पूरी API कुंजी (ml_live_… या ml_test_…) और पूरा वेबहुक सीक्रेट (whsec_…) दें।',
        'Connected. Customers can pay by UPI now.'
            => 'जुड़ गया। ग्राहक अब UPI से भुगतान कर सकते हैं।',
        'Connected with the sandbox: try it; no money moves.'
            => 'सैंडबॉक्स से जुड़ गया: आज़माकर देखें; कोई पैसा नहीं चलता।',
        'Disconnected. The key was forgotten here; end the connection on Milaan\'s Integrations screen too.'
            => 'अलग कर दिया गया। यहाँ से कुंजी हटा दी गई है; Milaan की Integrations स्क्रीन पर भी यह जुड़ाव समाप्त करें।',
        'Milaan UPI'
            => 'Milaan UPI (मिलान)',
        'Customers pay by UPI straight into your own bank account. Milaan confirms each payment by your bank\'s own mail.'
            => 'ग्राहक UPI से सीधे आपके अपने बैंक खाते में भुगतान करते हैं। Milaan हर भुगतान की पुष्टि आपके बैंक की अपनी मेल से करता है।',
        'Pay by UPI'
            => 'UPI से भुगतान करें',
        '%1$s (%2$s needed, %3$s there)'
            => '%1$s (%2$s चाहिए, %3$s मौजूद)',
        'Send %1$s back from your bank\'s app to whoever paid under bank reference %2$s. The payer\'s name and UPI ID are in Milaan at order %3$s; note there that it was given back.'
            => 'जिसने बैंक रेफ़रेंस %2$s से भुगतान किया था, उसे अपने बैंक के ऐप से %1$s लौटाएँ। भुगतान करने वाले का नाम और UPI ID Milaan में ऑर्डर %3$s पर हैं; वहाँ लिख दें कि पैसे लौटा दिए गए।',
        'Offer it'
            => 'उपलब्ध कराएँ',
        'Show UPI in the checkout'
            => 'चेकआउट में UPI दिखाएँ',
        'Money'
            => 'पैसा',
        'Live: real payments'
            => 'लाइव: असली भुगतान',
        'Sandbox: to try it, no money'
            => 'सैंडबॉक्स: आज़माने के लिए, बिना पैसे',
        'In the sandbox only people who manage this shop see UPI in the checkout, so that nobody gets goods for play money.'
            => 'सैंडबॉक्स में चेकआउट पर UPI केवल दुकान सँभालने वालों को दिखता है, ताकि कोई नकली पैसे से सामान न ले सके।',
        'Where customers pay'
            => 'ग्राहक कहाँ भुगतान करें',
        'On Milaan\'s payment page (fits every theme)'
            => 'Milaan के भुगतान पेज पर (हर थीम के साथ चलता है)',
        'In this shop, after the checkout'
            => 'इसी दुकान में, चेकआउट के बाद',
        'Name in the checkout'
            => 'चेकआउट में नाम',
        'UPI (any app)'
            => 'UPI (कोई भी ऐप)',
        'Words below it'
            => 'उसके नीचे के शब्द',
        'Scan a QR code with any UPI app. Please pay the exact amount shown, paise included, within 5 minutes.'
            => 'किसी भी UPI ऐप से QR कोड स्कैन करें। कृपया दिखाई गई ठीक वही राशि, पैसों सहित, 5 मिनट के भीतर चुकाएँ।',
        'UPI pays in Indian rupees only, and this shop sells in %s. Customers will not see it until the currency is INR.'
            => 'UPI केवल भारतीय रुपये में चलता है, और यह दुकान %s में बेचती है। मुद्रा INR होने तक ग्राहकों को यह नहीं दिखेगा।',
        'Connection to Milaan'
            => 'Milaan से जुड़ाव',
        'Live'
            => 'लाइव',
        'Sandbox'
            => 'सैंडबॉक्स',
        '%1$s: connected with %2$s at %3$s'
            => '%1$s: %3$s पर %2$s से जुड़ा है',
        'Test'
            => 'जाँचें',
        'Disconnect'
            => 'अलग करें',
        'Address of your Milaan'
            => 'आपके Milaan का पता',
        'Connect'
            => 'जोड़ें',
        'Connect again'
            => 'फिर से जोड़ें',
        'Connect by hand, with a key'
            => 'कुंजी से, हाथ से जोड़ें',
        'API key'
            => 'API कुंजी',
        'Webhook secret'
            => 'वेबहुक सीक्रेट',
        'Use this key'
            => 'यह कुंजी इस्तेमाल करें',
        'Only people who manage the shop may do this.'
            => 'यह केवल दुकान सँभालने वाले कर सकते हैं।',
        'This order was paid by UPI before: the customer paid twice. Give this payment back.'
            => 'इस ऑर्डर का UPI भुगतान पहले ही हो चुका था: ग्राहक ने दो बार भुगतान किया। यह भुगतान लौटा दें।',
        'The order had been marked as paid already. If the customer also paid in another way, give this payment back.'
            => 'ऑर्डर पहले से चुकाया हुआ दर्ज था। अगर ग्राहक ने किसी और तरीके से भी भुगतान किया है, तो यह भुगतान लौटा दें।',
        'The order is "%s" and was not changed. Send the goods or give the money back.'
            => 'ऑर्डर "%s" है और बदला नहीं गया। सामान भेजें या पैसे लौटाएँ।',
        'The order had been cancelled; everything is in stock, so it was opened again.'
            => 'ऑर्डर रद्द हो चुका था; सब कुछ स्टॉक में है, इसलिए उसे फिर से खोल दिया गया।',
        'The payment was started for %1$s, but the order comes to %2$s now. Put this right with the customer before you send anything.'
            => 'भुगतान %1$s के लिए शुरू हुआ था, पर ऑर्डर अब %2$s का है। कुछ भी भेजने से पहले ग्राहक से बात कर लें।',
        'Not enough in stock any more: %s. Get it and set the order to "Processing", or give the money back.'
            => 'स्टॉक में अब पर्याप्त नहीं: %s. सामान मँगाकर ऑर्डर को "Processing" करें, या पैसे लौटाएँ।',
        '%1$s received by UPI, bank reference %2$s.'
            => 'UPI से %1$s मिले, बैंक रेफ़रेंस %2$s.',
        '%1$s was to be paid; a person accepted %2$s in Milaan.'
            => '%1$s चुकाने थे; किसी व्यक्ति ने Milaan में %2$s स्वीकार किए।',
        'That is %1$s and %2$s by which Milaan tells payments apart.'
            => 'यानी %1$s और ऊपर से %2$s, जिससे Milaan भुगतानों को अलग पहचानता है।',
        'It was confirmed late, after the time to pay had run out.'
            => 'इसकी पुष्टि देर से हुई, भुगतान का समय बीत जाने के बाद।',
        'THIS IS A TEST: no money came.'
            => 'यह परीक्षण है: कोई पैसा नहीं आया।',
        'UPI payments are not set up in this shop yet. Please choose another way to pay.'
            => 'इस दुकान में UPI भुगतान अभी चालू नहीं है। कृपया भुगतान का कोई और तरीका चुनें।',
        'This sum cannot be paid by UPI here. Please choose another way to pay.'
            => 'यह रकम यहाँ UPI से नहीं चुकाई जा सकती। कृपया भुगतान का कोई और तरीका चुनें।',
        'The payment could not be started. Please try again.'
            => 'भुगतान शुरू नहीं हो सका। कृपया फिर कोशिश करें।',
        'UPI payment could not be started. Milaan says: %s'
            => 'UPI भुगतान शुरू नहीं हो सका। Milaan का उत्तर: %s',
        'This shop can\'t take new UPI payments here right now. Please contact the shop.'
            => 'यह दुकान अभी यहाँ नए UPI भुगतान नहीं ले सकती। कृपया दुकान से संपर्क करें।',
        'The payment could not be started. Please try again in a moment.'
            => 'भुगतान शुरू नहीं हो सका। कृपया थोड़ी देर में फिर कोशिश करें।',
        '%1$s came by UPI, but %2$s was to be paid.'
            => 'UPI से %1$s आए, पर %2$s चुकाने थे।',
        'Money came by UPI, but not exactly %s.'
            => 'UPI से पैसे आए, पर ठीक %s नहीं।',
        'Open Payments › To decide in Milaan, and accept it or give it back. Do not send the goods before.'
            => 'Milaan में भुगतान › फ़ैसला बाकी खोलें और इसे स्वीकार करें या लौटाएँ। उससे पहले सामान न भेजें।',
        'The UPI payment was declined in Milaan by a person. The money that came is to be given back.'
            => 'UPI भुगतान को Milaan में किसी व्यक्ति ने अस्वीकार किया। जो पैसे आए थे, वे लौटाने हैं।',
        'The money that came by UPI was found to belong elsewhere.'
            => 'UPI से आए पैसे किसी और चीज़ के निकले।',
        'The time to pay by UPI ran out. A payment that the bank reports late is still counted for ten minutes.'
            => 'UPI से चुकाने का समय समाप्त हो गया। बैंक जिस भुगतान की सूचना देर से दे, वह दस मिनट तक गिना जाता है।',
        'Order %s: a UPI payment needs you'
            => 'ऑर्डर %s: एक UPI भुगतान पर आपका ध्यान चाहिए',
        'Not connected.'
            => 'जुड़ा नहीं है।',
        'Milaan answers and takes the key.'
            => 'Milaan उत्तर देता है और कुंजी मान्य है।',
        'Milaan does not take the key: %s'
            => 'Milaan ने कुंजी नहीं मानी: %s',
        'This server could not ask its own address %1$s (%2$s). Press "Send a test event" on Milaan\'s Webhooks screen to see whether Milaan can.'
            => 'यह सर्वर अपने ही पते %1$s तक नहीं पहुँच सका (%2$s)। Milaan पहुँच सकता है या नहीं, यह देखने के लिए उसके वेबहुक लॉग में "टेस्ट घटना भेजें" दबाएँ।',
        'News of payments can reach this shop.'
            => 'भुगतान की सूचना इस दुकान तक पहुँच सकती है।',
        'News of payments cannot reach this shop: %1$s answers %2$d. A redirect, a maintenance mode or a security plugin stands in between.'
            => 'भुगतान की सूचना इस दुकान तक नहीं पहुँच सकती: %1$s का उत्तर %2$d है। बीच में कोई रीडायरेक्ट, रखरखाव मोड या सुरक्षा प्लगिन है।',
        'The time to pay ran out. If you have paid already, please do not pay again: your payment is still counted for ten minutes, and this order changes by itself. Otherwise you can pay now with a new QR code.'
            => 'भुगतान का समय समाप्त हो गया। अगर आप भुगतान कर चुके हैं तो कृपया दोबारा न करें: आपका भुगतान दस मिनट तक गिना जाता है और यह ऑर्डर अपने आप बदल जाएगा। नहीं तो आप नए QR कोड से अभी भुगतान कर सकते हैं।',
        'Thank you. The shop is looking at your payment and will write to you.'
            => 'धन्यवाद। दुकान आपका भुगतान देख रही है और आपको लिखेगी।',
        'Thank you. Your payment is not confirmed yet; the bank\'s mail may take some minutes. You need not do anything: the shop will write to you.'
            => 'धन्यवाद। आपके भुगतान की पुष्टि अभी नहीं हुई है; बैंक की मेल में कुछ मिनट लग सकते हैं। आपको कुछ नहीं करना है: दुकान आपको लिखेगी।',
        'Please switch on JavaScript to pay here.'
            => 'यहाँ भुगतान करने के लिए कृपया JavaScript चालू करें।',
    ],
];
