# Checks the mail in this folder with the keys in dkim-key.txt, instead of today's keys in DNS.
# Usage: python3 verify.py   (needs dkimpy: Debian's package python3-dkim)
import os, re, sys
import dkim

here = os.path.dirname(os.path.abspath(__file__))
read = lambda name: open(os.path.join(here, name), 'rb').read()
signed = 'mail-as-signed.eml' if os.path.exists(os.path.join(here, 'mail-as-signed.eml')) else 'mail.eml'
for name, record in re.findall(rb'^(\S+) TXT "(.*)" ;', read('dkim-key.txt'), re.M):
    answer = lambda asked, timeout=5: record if asked.rstrip(b'.').lower() == name else None
    for number in range(8):
        try:
            if dkim.DKIM(read(signed)).verify(idx=number, dnsfunc=answer):
                print(signed, 'was signed with the key', name.decode())
                sys.exit(0)
        except dkim.DKIMException:
            pass
sys.exit('no signature of ' + signed + ' holds')
