"""How mail programs announce a quotation, in fourteen languages; and what is no announcement."""

from __future__ import annotations

import pytest

from referee.orderbook.lines.letter import part_lines
from tests.growth import assert_grows_with, pumped

WROTE = {
    "en": "On Wed, Dec 2, 2026 at 8:00 PM Railway Referee <referee@example.org> wrote:",
    "de": "Am Mi., 2. Dez. 2026 um 20:00 Uhr schrieb Railway Referee <referee@example.org>:",
    "de t-online": "Railway Referee schrieb am 02.12.2026 20:00 (GMT +01:00):",
    "fr": "Le mer. 2 déc. 2026 à 20:00, Railway Referee <referee@example.org> a écrit :",
    "nl": "Op wo 2 dec 2026 om 20:00 schreef Railway Referee <referee@example.org>:",
    "it": "Il giorno mer 2 dic 2026 alle ore 20:00 Railway Referee <referee@example.org> ha scritto:",
    "es": "El mié, 2 dic 2026 a las 20:00, Railway Referee (<referee@example.org>) escribió:",
    "pt": "Em qua., 2 de dez. de 2026 às 20:00, Railway Referee <referee@example.org> escreveu:",
    "pl": "śr., 2 gru 2026 o 20:00 Railway Referee <referee@example.org> napisał(a):",
    "pl thunderbird": "W dniu 2.12.2026 o 20:00, Railway Referee pisze:",
    "ru": "ср, 2 дек. 2026 г. в 20:00, Railway Referee <referee@example.org>:",
    "ru thunderbird": "02.12.2026 20:00, Railway Referee пишет:",
    "sv": "Den ons 2 dec. 2026 kl 20:00 skrev Railway Referee <referee@example.org>:",
    "da": "Den ons. 2. dec. 2026 kl. 20.00 skrev Railway Referee <referee@example.org>:",
    "no": "ons. 2. des. 2026 kl. 20:00 skrev Railway Referee <referee@example.org>:",
    "fi": "ke 2. jouluk. 2026 klo 20.00 Railway Referee (referee@example.org) kirjoitti:",
    "cs": "st 2. 12. 2026 v 20:00 odesílatel Railway Referee <referee@example.org> napsal:",
    "cs thunderbird": "Dne 02. 12. 26 v 20:00 Railway Referee napsal(a):",
    "hu": "Railway Referee <referee@example.org> ezt írta (időpont: 2026. dec. 2., Sze, 20:00):",
    "hu thunderbird": "2026. 12. 02. 20:00 keltezéssel, Railway Referee írta:",
}

BLOCKS = {
    "en": "From: Railway Referee <referee@example.org>\nSent: Wednesday, December 2, 2026 8:00 PM\nTo: Ann\nSubject: [RR7]",
    "de": "Von: Railway Referee\nGesendet: Mittwoch, 2. Dezember 2026 20:00\nAn: Ann\nBetreff: [RR7]",
    "fr": "De : Railway Referee\nEnvoyé : mercredi 2 décembre 2026 20:00\nÀ : Ann\nObjet : [RR7]",
    "nl": "Van: Railway Referee\nVerzonden: woensdag 2 december 2026 20:00\nAan: Ann\nOnderwerp: [RR7]",
    "it": "Da: Railway Referee\nInviato: mercoledì 2 dicembre 2026 20:00\nA: Ann\nOggetto: [RR7]",
    "es": "De: Railway Referee\nEnviado: miércoles, 2 de diciembre de 2026 20:00\nPara: Ann\nAsunto: [RR7]",
    "pt": "De: Railway Referee\nEnviado: quarta-feira, 2 de dezembro de 2026 20:00\nPara: Ann\nAssunto: [RR7]",
    "pl": "Od: Railway Referee\nWysłano: środa, 2 grudnia 2026 20:00\nDo: Ann\nTemat: [RR7]",
    "ru": "От: Railway Referee\nОтправлено: среда, 2 декабря 2026 г. 20:00\nКому: Ann\nТема: [RR7]",
    "sv": "Från: Railway Referee\nSkickat: den 2 december 2026 20:00\nTill: Ann\nÄmne: [RR7]",
    "da": "Fra: Railway Referee\nSendt: 2. december 2026 20:00\nTil: Ann\nEmne: [RR7]",
    "no": "Fra: Railway Referee\nSendt: onsdag 2. desember 2026 20:00\nTil: Ann\nEmne: [RR7]",
    "fi": "Lähettäjä: Railway Referee\nLähetetty: keskiviikko 2. joulukuuta 2026 20:00\nVastaanottaja: Ann\nAihe: [RR7]",
    "cs": "Od: Railway Referee\nOdesláno: středa 2. prosince 2026 20:00\nKomu: Ann\nPředmět: [RR7]",
    "hu": "Feladó: Railway Referee\nElküldve: 2026. december 2., szerda 20:00\nCímzett: Ann\nTárgy: [RR7]",
}

RULES = {
    "en": "-----Original Message-----",
    "de": "-------- Weitergeleitete Nachricht --------",
    "fr": "-----Message d'origine-----",
    "nl": "-----Oorspronkelijk bericht-----",
    "it": "-----Messaggio originale-----",
    "es": "---------- Mensaje reenviado ---------",
    "pt": "-----Mensagem original-----",
    "pl": "-----Wiadomość oryginalna-----",
    "ru": "-------- Исходное сообщение --------",
    "sv": "-----Ursprungligt meddelande-----",
    "da": "-----Oprindelig meddelelse-----",
    "no": "-----Opprinnelig melding-----",
    "fi": "-----Alkuperäinen viesti-----",
    "cs": "-----Původní zpráva-----",
    "hu": "-----Eredeti üzenet-----",
    "apple": "Anfang der weitergeleiteten Nachricht:",
}

SIGNED = [
    *("Sent from my iPad", "Von meinem iPhone gesendet", "Envoyé de mon iPhone", "Verstuurd vanaf mijn iPhone"),
    *("Inviato da iPhone", "Enviado desde mi iPhone", "Enviado do meu iPhone", "Wysłane z iPhone'a"),
    *("Отправлено с iPhone", "Skickat från min iPhone", "Sendt fra min iPhone", "Lähetetty iPhonesta"),
    *("Odesláno z iPhonu", "iPhone-ról küldve", "Holen Sie sich Outlook für iOS", "Télécharger Outlook pour Android"),
]


def own(text: str) -> list[str]:
    return [line.text for line in part_lines(text)[0] if line.text]


@pytest.mark.parametrize("announcement", WROTE.values(), ids=WROTE)
def test_what_is_quoted_without_marks_below_an_announcement_is_not_his(announcement: str) -> None:
    assert own(f"PASS\n\n{announcement}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


@pytest.mark.parametrize("announcement", [text for name, text in WROTE.items() if name != "de t-online"])
def test_an_announcement_is_known_where_it_was_wrapped(announcement: str) -> None:
    words = announcement.split(" ")
    for at in range(max(3, len(words) - 4), len(words)):
        wrapped = " ".join(words[:at]) + "\n" + " ".join(words[at:])
        assert own(f"PASS\n\n{wrapped}\n\n1a) (Cork) - Bantry\n") == ["PASS"], wrapped


@pytest.mark.parametrize("announcement", WROTE.values(), ids=WROTE)
def test_above_marked_quotes_the_announcement_alone_goes(announcement: str) -> None:
    assert own(f"{announcement}\n> rolls 5, 4\n1a) (Cork) - Bantry\n") == ["1a) (Cork) - Bantry"]


@pytest.mark.parametrize("block", [*BLOCKS.values(), *RULES.values(), *SIGNED])
def test_nothing_below_outlooks_block_a_rule_or_a_signature_is_his(block: str) -> None:
    assert own(f"PASS\n\n{block}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


@pytest.mark.parametrize(
    "text",
    [
        "In 1850 Stephenson wrote:\n1a) (Cork) - Bantry",
        "1a) (Dublin) - Y17\nMy father wrote:\n1b) (Cork) - Bantry",
        "RUN 7: Cork - 44\nHe wrote:\nRUN 8: Cork - 12",
        "Da: Cork\nA: Dublin",
        "To: you\nOd: me",
        "On 3 December 2026 we meet:\nPASS",
        "See you in 2026\nPASS",
        "Lähetetty",
        "1a) (Cork) - 12.30",
        "On 3 December 2026 we met\n\nPASS\n\nMy brother wrote:\n1a) (Cork) - Bantry",
        "On 3 December 2026 at 20:00\n\nPASS\n\nann@example.org\n\nwrote:\n1a) (Cork) - Bantry",
        "ann@example.org wrote\nPASS",
        "Date: 3 December 2026\nTo: Dublin\nPASS",
        "From: Cork\nTo: Dublin\nSubject: trains\nPASS",
        "From: Cork\nwe go on\nand on\nand on\nand on\nDate: 3 December\nTo: Dublin",
        "-- original plans are best\nPASS",
        "RR> PASS\nAB> 1a) (Cork) - Bantry",
        "ann@example.org\nTo\ncc\nPASS",
    ],
)
def test_what_only_looks_like_an_announcement_is_his(text: str) -> None:
    assert own(text) == [line for line in text.split("\n") if line]


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "x@y\n",
            "x@y\n\n",
            "On 1 2026 <\n\n",
            "<\n",
            "10:00 <x@y\n",
            "-- On 10:00 <x@y>\n",
            "From: a\n",
            "a:\n",
            "\n",
        ),
        *("a@b\n1.1.26 10:00\nTo\n", "On 2026 a@b wrote:\n>\n", "On 2026 a@b wrote:\n" + "\n" * 30),
        *("10:00 by a@ ", "- ", "wrote "),
    ],
)
def test_a_letter_of_nothing_but_beginnings_takes_no_longer_than_it_is_long(piece: str) -> None:
    assert_grows_with(part_lines, pumped("PASS\n", piece, "x"))


def test_a_line_above_an_announcement_is_his() -> None:
    text = "Ich bin 2026 wieder da\nAm 09.12.26 um 20:00 schrieb Railway Referee:\n> PASS\n"
    assert own(text) == ["Ich bin 2026 wieder da"]
