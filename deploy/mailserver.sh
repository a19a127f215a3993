# A door for the referee's letters in the mail server of compose.yaml, which runs this when it begins (docker-mailserver's user-patches.sh):
# port 2525 of 127.0.0.1, that is of the network which the two containers share and nobody else. So the server need trust no network at
# its open ports, whatever address an engine shows it for who comes from outside, and the referee needs no certificate.
door=127.0.0.1:2525
postconf -M "$door/inet=$door inet n - n - - smtpd"
postconf -P "$door/inet/syslog_name=postfix/referee" "$door/inet/mynetworks=127.0.0.0/8" "$door/inet/smtpd_tls_security_level=none"
for who in client relay recipient; do
  postconf -P "$door/inet/smtpd_${who}_restrictions=permit_mynetworks,reject"
done
