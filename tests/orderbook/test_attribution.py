"""Whose words stand in a letter: quotations, courtesies, prose, marks and footers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

import pytest

from referee.orderbook import OrderLanguage, Reading, prose_lines, without_courtesies
from referee.orderbook.lines.letter import part_lines, without_markup
from tests.growth import assert_grows_with, pumped
from tests.prose import KEPT, texts_of

# How mail programs announce a quotation, in some fifty languages; and what is no announcement.


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
    "hu apple": "Railway Referee <referee@example.org> írta (2026. dec. 2. dátummal, 20:00):",
    "tr": "Railway Referee <referee@example.org>, 2 Ara 2026 Çar, 20:00 tarihinde şunu yazdı:",
    "tr thunderbird": "2.12.2026 20:00 tarihinde Railway Referee yazdı:",
    "tr apple": "Railway Referee <referee@example.org> şunları yazdı (2 Ara 2026 20:00):",
    "el": "Στις Τετ 2 Δεκ 2026 στις 8:00 μ.μ., ο χρήστης Railway Referee <referee@example.org> έγραψε:",
    "el claws": "Στις 2 Δεκεμβρίου 2026 20:00, Railway Referee έγραψε:",
    "ro": "În mie., 2 dec. 2026 la 20:00, Railway Referee <referee@example.org> a scris:",
    "ro thunderbird": "La 02.12.2026 20:00, Railway Referee a scris:",
    "uk": "ср, 2 груд. 2026 р. о 20:00 Railway Referee <referee@example.org> пише:",
    "uk thunderbird": "02.12.2026 20:00, Railway Referee пише:",
    "uk apple": "2 груд. 2026 р. о 20:00 Railway Referee <referee@example.org> написав(ла):",
    "be": "Railway Referee напісаў 02.12.2026 20:00:",
    "bg": "На ср, 2.12.2026 г. в 20:00 Railway Referee <referee@example.org> написа:",
    "bg thunderbird": "На 2.12.26 г. в 20:00, Railway Referee написа:",
    "mk": "На 2.12.2026 20:00, Railway Referee напиша:",
    "sr": "сре, 2. дец 2026. у 20:00 Railway Referee <referee@example.org> је написао/ла:",
    "sr latin": "2.12.2026. u 20:00, Railway Referee je napisao/la:",
    "hr": "sri, 2. pro 2026. u 20:00 Railway Referee <referee@example.org> napisao je:",
    "bs": "02.12.2026 20:00, Railway Referee je napisao/la:",
    "sl": "V V sre., 2. dec. 2026 ob 20:00 je oseba Railway Referee <referee@example.org> napisala:",
    "sl thunderbird": "Railway Referee je 2. 12. 2026 ob 20:00 napisal:",
    "sk": "st 2. 12. 2026 o 20:00 Railway Referee <referee@example.org> napísal(a):",
    "sk thunderbird": "Dňa 2. 12. 2026 o 20:00 Railway Referee napísal(a):",
    "ca": "Missatge de Railway Referee <referee@example.org> del dia dc., 2 de des. 2026 a les 20:00:",
    "ca claws": "El 2 de des. 2026 20:00, Railway Referee va escriure:",
    "gl": "O 2 de dec. de 2026 ás 20:00, Railway Referee escribiu:",
    "eu": "2026/12/02 20:00 egunean, Railway Referee-(e)k idatzi du:",
    "is": "mið., 2. des. 2026 kl. 20:00 skrifaði Railway Referee <referee@example.org>:",
    "fo": "Tann 2.12.2026 20:00, skrivaði Railway Referee:",
    "et": "Kuupäev K, 2. detsember 2026 kell 20:00 kirjutas Railway Referee <referee@example.org>:",
    "et roundcube": "2026-12-02 20:00 kirjutas Railway Referee:",
    "lv": "Trešd., 2026. g. 2. dec., plkst. 20:00 - lietotājs Railway Referee (<referee@example.org>) rakstīja:",
    "lv roundcube": "Railway Referee @ 2026-12-02 20:00 rakstīja:",
    "lt": "2026-12-02, tr, 20:00 Railway Referee <referee@example.org> rašė:",
    "sq": "Më 02/12/2026 20:00, Railway Referee shkroi:",
    "he": "‫בתאריך יום ד׳, 2 בדצמ׳ 2026 ב-20:00 מאת ‪Railway Referee‬‏ <‪referee@example.org‬‏>:‬",
    "he roundcube": ":כתב Railway Referee, 2026-12-02 20:00 בתאריך",
    "ar": "في الأربعاء، ٢ ديسمبر ٢٠٢٦، ٨:٠٠ م Railway Referee <referee@example.org> كتب:",
    "ar thunderbird": "على 2/12/2026 20:00، كتب Railway Referee:",
    "fa": "در تاریخ چهارشنبه ۲ دسامبر ۲۰۲۶،‏ ۲۰:۰۰ Railway Referee <referee@example.org> نوشت:",
    "fa roundcube": "در 2026-12-02 20:00، Railway Referee نوشته است:",
    "hi": "बुध, 2 दिस॰ 2026 को 8:00 pm बजे को Railway Referee <referee@example.org> ने लिखा:",
    "th": "ในวันที่ พ. 2 ธ.ค. 2569 เวลา 20:00 Railway Referee <referee@example.org> เขียนว่า:",
    "vi": "Vào Th 4, 2 thg 12, 2026 vào lúc 20:00 Railway Referee <referee@example.org> đã viết:",
    "vi roundcube": "Vào ngày 2026-12-02 20:00, Railway Referee viết:",
    "id": "Pada Rab, 2 Des 2026 pukul 20.00 Railway Referee <referee@example.org> menulis:",
    "ms": "Pada Rab, 2 Dis 2026 pada 8:00 PTG Railway Referee <referee@example.org> menulis:",
    "fil": "Noong Miy, Dis 2, 2026 nang 8:00 PM, sinulat ni Railway Referee <referee@example.org>:",
    "zh": "Railway Referee <referee@example.org> 于2026年12月2日周三 20:00写道：",
    "zh thunderbird": "在 2026/12/2 20:00, Railway Referee 写道:",
    "zh taiwan": "Railway Referee <referee@example.org> 於 2026年12月2日 週三 下午8:00寫道：",
    "ja": "2026年12月2日(水) 20:00 Railway Referee <referee@example.org>:",
    "ja roundcube": "2026-12-02 20:00 に Railway Referee さんは書きました:",
    "ko": "2026년 12월 2일 (수) 오후 8:00, Railway Referee <referee@example.org>님이 작성:",
    "ko thunderbird": "2026-12-02 오후 8:00에 Railway Referee 이(가) 쓴 글:",
    "km": "កាលពីថ្ងៃ 2026-12-02 20:00, Railway Referee បានសរសេរ៖",
    "af": "Op Wo. 2 Des. 2026 20:00 het Railway Referee <referee@example.org> geskryf:",
    "cy": "Ar 02/12/2026 20:00, ysgrifennodd Railway Referee:",
    "ga": "Ar 02/12/2026 20:00, scríobh Railway Referee:",
    "hy": "2026-12-02 20:00-ին, Railway Referee-ը գրել է։",
    "ka": "2026-12-02 20:00-ში, Railway Referee დაწერა:",
    "eo": "Je 2026-12-02 20:00, Railway Referee skribis:",
    "az": "2026-12-02 20:00 tarixdə, Railway Referee yazıb:",
    "fy": "Op 02-12-2026 om 20:00, skreau Railway Referee:",
    "in no language": "Zil 2 qux 2026 ho 20:00, Railway Referee <referee@example.org> blargh:",
}

DATED_LATE = ("de t-online", "be", "sl thunderbird", "he roundcube")  # the date may stand on the second line

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
    "tr": "Kimden: Railway Referee\nGönderildi: 2 Aralık 2026 Çarşamba 20:00\nKime: Ann\nKonu: [RR7]",
    "el": "Από: Railway Referee\nΣτάλθηκε: Τετάρτη, 2 Δεκεμβρίου 2026 8:00 μμ\nΠρος: Ann\nΘέμα: [RR7]",
    "ro": "De la: Railway Referee\nTrimis: miercuri, 2 decembrie 2026 20:00\nCătre: Ann\nSubiect: [RR7]",
    "uk": "Від: Railway Referee\nНадіслано: 2 грудня 2026 р. 20:00\nКому: Ann\nТема: [RR7]",
    "ko": "보낸 사람: Railway Referee\n보낸 날짜: 2026년 12월 2일 수요일 오후 8:00\n받는 사람: Ann\n제목: [RR7]",
    "ja": "差出人: Railway Referee\n送信日時: 2026年12月2日 20:00\n宛先: Ann\n件名: [RR7]",
    "zh": "发件人: Railway Referee\n发送时间: 2026年12月2日 20:00\n收件人: Ann\n主题: [RR7]",
    "zh taiwan": "寄件者: Railway Referee\n寄件日期: 2026年12月2日 下午 08:00\n收件者: Ann\n主旨: [RR7]",
    "bg": "От: Railway Referee\nИзпратено: 2 декември 2026 г. 20:00\nДо: Ann\nОтносно: [RR7]",
    "sr": "Šalje: Railway Referee\nPoslato: 2. decembar 2026. 20:00\nPrima: Ann\nTema: [RR7]",
    "hr": "Šalje: Railway Referee\nPoslano: 2. prosinca 2026. 20:00\nPrima: Ann\nPredmet: [RR7]",
    "sl": "Od: Railway Referee\nPoslano: sreda, 02. december 2026 20:00\nZa: Ann\nZadeva: [RR7]",
    "sk": "Od: Railway Referee\nOdoslané: streda 2. decembra 2026 20:00\nKomu: Ann\nPredmet: [RR7]",
    "et": "Saatja: Railway Referee\nSaadetud: kolmapäev, 2. detsember 2026 20:00\nAdressaat: Ann\nTeema: [RR7]",
    "lv": "No: Railway Referee\nNosūtīts: trešdiena, 2026. gada 2. decembris 20:00\nKam: Ann\nTēma: [RR7]",
    "lt": "Nuo: Railway Referee\nIšsiųsta: 2026 m. gruodžio 2 d. 20:00\nKam: Ann\nTema: [RR7]",
    "ca": "De: Railway Referee\nEnviat el: dimecres, 2 de desembre de 2026 20:00\nPer a: Ann\nTema: [RR7]",
    "is": "Frá: Railway Referee\nSent: 2. desember 2026 20:00\nTil: Ann\nEfni: [RR7]",
    "he": "מאת: Railway Referee\nנשלח: יום רביעי 2 דצמבר 2026 20:00\nאל: Ann\nנושא: [RR7]",
    "ar": "من: Railway Referee\nتم الإرسال: 02 ديسمبر 2026 08:00 م\nإلى: Ann\nالموضوع: [RR7]",
    "fa": "از: Railway Referee\nارسال شده: 2 دسامبر 2026 20:00\nبه: Ann\nموضوع: [RR7]",
    "hi": "से: Railway Referee\nभेजा गया: 02 दिसंबर 2026 20:00\nको: Ann\nविषय: [RR7]",
    "th": "จาก: Railway Referee\nส่ง: 2 ธันวาคม 2569 20:00\nถึง: Ann\nเรื่อง: [RR7]",
    "vi": "Từ: Railway Referee\nĐã gửi: 02 Tháng Mười Hai 2026 8:00 CH\nĐến: Ann\nChủ đề: [RR7]",
    "id": "Dari: Railway Referee\nDikirim: Rabu, 02 Desember 2026 20:00\nKepada: Ann\nPerihal: [RR7]",
    "ms": "Daripada: Railway Referee\nDihantar: Rabu, 2 Disember 2026 20:00\nKepada: Ann\nSubjek: [RR7]",
    "eu": "Nork: Railway Referee\nBidalia: 2026(e)ko abenduaren 2a 20:00\nNori: Ann\nGaia: [RR7]",
    "gl": "De: Railway Referee\nEnviado o: 2 de decembro de 2026 20:00\nPara: Ann\nAsunto: [RR7]",
    "mk": "Од: Railway Referee\nИспратено: 2 декември 2026 20:00\nДо: Ann\nПредмет: [RR7]",
    "be": "Ад: Railway Referee\nДата: 2 снежня 2026 20:00\nКаму: Ann\nТэма: [RR7]",
    "hu outlook": "Feladó: Railway Referee\nDátum: 2026. december 2., szerda 20:00\nCímzett: Ann\nTárgy: [RR7]",
    "fr outlook": "De : Railway Referee\nDate : mercredi, 2 décembre 2026 à 20:00\nÀ : Ann\nObjet : [RR7]",
    "pt brasil": "De: Railway Referee\nEnviada em: quarta-feira, 2 de dezembro de 2026 20:00\nPara: Ann\nAssunto: [RR7]",
    "pl thunderbird": "Od: Railway Referee\nData: środa, 2 grudnia 2026 20:00\nDo: Ann\nTemat: [RR7]",
    "az": "Kimdən: Railway Referee\nTarix: 2 dekabr 2026 20:00\nKimə: Ann\nMövzu: [RR7]",
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
    "tr": "-------- Özgün İleti --------",
    "el": "-------- Αρχικό μήνυμα --------",
    "ro": "-------- Mesajul original --------",
    "uk": "-------- Початкове повідомлення --------",
    "ko": "-------- 원본 메시지 --------",
    "ja": "-------- 元のメッセージ --------",
    "he": "-------- הודעה מקורית --------",
    "ar": "-------- الرسالة الأصلية --------",
    "vi": "-------- Thư gốc --------",
}

SIGNED = [
    *("Sent from my iPad", "Von meinem iPhone gesendet", "Envoyé de mon iPhone", "Verstuurd vanaf mijn iPhone"),
    *("Inviato da iPhone", "Enviado desde mi iPhone", "Enviado do meu iPhone", "Wysłane z iPhone'a"),
    *("Отправлено с iPhone", "Skickat från min iPhone", "Sendt fra min iPhone", "Lähetetty iPhonesta"),
    *("Odesláno z iPhonu", "iPhone-ról küldve", "Holen Sie sich Outlook für iOS", "Télécharger Outlook pour Android"),
]


def test_there_are_forty_languages() -> None:
    assert len({name.split(" ")[0] for name in WROTE}) > 50
    assert len({name.split(" ")[0] for name in BLOCKS}) > 40


def own(text: str) -> list[str]:
    return [line.text for line in part_lines(text)[0] if line.text]


@pytest.mark.parametrize("announcement", WROTE.values(), ids=WROTE)
def test_what_is_quoted_without_marks_below_an_announcement_is_not_his(announcement: str) -> None:
    assert own(f"PASS\n\n{announcement}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


@pytest.mark.parametrize("announcement", [text for name, text in WROTE.items() if name not in DATED_LATE])
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


# What is not listed as not read, because nobody meant it for the referee.


LETTER = """Dear Peter,
Round 3:
My wife is ill.
Subject: orders
1a) (Dublin) - Y17
--------------------
Hello, I have a question
Kind regards,

Ann Murphy
Cork is mine after all!
Thanks
7 trains"""


def test_courtesies_are_told_apart_from_what_is_said(
    read: Callable[[str], Reading], order_language: OrderLanguage
) -> None:
    told = tuple(without_courtesies(read(LETTER).unread, order_language))
    assert told == (
        (3, "My wife is ill."),
        (7, "Hello, I have a question"),
        (11, "Cork is mine after all!"),
        (13, "7 trains"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "My wife is ill.",
        "Why?",
        "Please send me the rules",
        "Sorry, my orders will be late",
        "Merci de me dire ce que coûte un pont",
    ],
)
def test_what_asks_or_tells_a_person_something(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == [(1, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Hi Peter, here are my orders for round 3",
        "Orders below:",
        "Thanks a lot, see you next turn!",
        "Ann Murphy",
        "CAUTION: External mail. Who sent it?",
        "1870",
        "Cher Paul,",
        "Bonsoir à tous,",
        "Salut Paul, voici mes ordres pour le tour 3 :",
        "Merci d'avance !",
        "Bien à vous,",
        "Bonne soirée,",
    ],
)
def test_what_only_says_that_orders_follow(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == []


def test_a_banner_goes_down_to_the_next_empty_line(order_language: OrderLanguage) -> None:
    lines = [
        (1, "This e-mail and any attachments are confidential"),
        (2, "and meant for nobody else."),
        (4, "What a game!"),
    ]
    assert list(without_courtesies(lines, order_language)) == [(4, "What a game!")]


def test_the_writers_own_name_and_his_title_below_it_say_nothing(order_language: OrderLanguage) -> None:
    lines = [(1, "GSW (Ann Byrne):"), (3, "Ann"), (4, "Head of Sleepers"), (7, "Bob Byrne")]
    assert list(without_courtesies(lines, order_language, ("Ann", "Ann Byrne", "GSW"))) == [(7, "Bob Byrne")]


FOOTERS = (
    "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    "Virus-free.www.avg.com",
    "--\nDiese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.",
    "L'absence de virus dans ce courrier électronique a été vérifiée par le logiciel antivirus Avast.",
    "Scanned by MailScanner",
    "________________________________\nCONFIDENTIALITY NOTICE: this message is for its reader.\nDelete it otherwise.",
    "This e-mail and any attachments are confidential.",
    "Der Inhalt dieser E-Mail ist vertraulich.",
    "Les informations contenues dans ce message sont confidentielles.",
    "De informatie in dit bericht is vertrouwelijk.",
    "Please consider the environment before printing this e-mail.",
    "Registered in England, No 1234567",
    "The content of this email is confidential.",
    "You received this message because you are subscribed to a group.\nTo unsubscribe from this group, write to us.",
    "Sent from Outlook for iOS",
    "Get Outlook for Android",
    "Sent from Yahoo Mail on Android",
    "Sent with Proton Mail secure email.",
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Gesendet mit der GMX Mail App",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Envoyé de mon iPhone",
    "Verzonden vanaf mijn iPhone",
    "Sent via BlueMail",
    "Sent using Zoho Mail",
    "Click here to report this email as spam.",
    "Best regards,\nAnn Smith",
    "Viele Grüße\nAnn",
)


@pytest.mark.parametrize("footer", FOOTERS)
def test_no_footer_below_press_that_nothing_ends_is_printed(footer: str, read: Callable[[str], Reading]) -> None:
    assert read(f"PRESS: All aboard!\n\nThe Duke waits.\n\n{footer}\n").press == "All aboard!\n\nThe Duke waits."


def test_what_end_press_ends_is_printed_as_it_is(read: Callable[[str], Reading]) -> None:
    assert read("PRESS: All aboard!\nBest regards,\nAnn\nEND PRESS\n").press == "All aboard!\nBest regards,\nAnn"


def test_words_of_press_that_begin_like_a_footer_stay(read: Callable[[str], Reading]) -> None:
    press = "The Duke spoke.\nConfidential sources agree.\nSent from Dublin it came."
    assert read(f"PRESS: {press}\n").press == press


# How many letters that order nothing are asked anything: over the texts in tests/prose, and those that PROSE names.


Reads = Mapping[str, Callable[[str], Reading]]
PATHS = [KEPT, *map(Path, filter(None, os.environ.get("PROSE", "").split(":")))]


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_of_a_hundred_letters_that_order_nothing_one_at_most_is_asked_anything(game: str, reads: Reads) -> None:
    texts = list(chain.from_iterable(map(texts_of, PATHS)))
    asked = [reading.asked for reading in map(reads[game], texts) if reading.asked]
    assert len(texts) >= 140
    assert len(asked) <= len(texts) / 100, f"{len(asked)} of {len(texts)}: {asked}"


# END that a mail program glued to the last order (format=flowed does where the line before ends with a space) ends the block.


Read = Callable[[str], Reading]


@pytest.mark.parametrize(
    "last",
    [
        "1a) (Dublin) - Y17 END",
        "1a) none END",
        "1a) (Dublin) - AB17 [-1 MGW] END ORDERS",
        "HOME Dublin END",
        "RUN 7: FASTEST END",
    ],
)
def test_end_behind_the_last_order_ends_the_block(read: Read, last: str) -> None:
    reading = read(f"ORDERS RR7 1\n1b) (Dublin) - AB17\n{last}\n\nUntil next time\nAnn")
    assert reading.complaints == ()
    assert [phrase.line for phrase in reading.phrases] == [2, 3]
    assert reading.unread == ((5, "Until next time"), (6, "Ann"))


def test_end_behind_a_command_ends_the_block(read: Read) -> None:
    reading = read("ORDERS RR7 1\nPASS END\nRegards, Ann")
    assert (reading.commands, reading.complaints) == (("PASS",), ())
    assert reading.unread == ((3, "Regards, Ann"),)


@pytest.mark.parametrize(
    "text",
    [
        "ORDERS RR7 1\n1a) (Dublin) - AB17 end",  # not in capitals
        "ORDERS RR7 1\n1a) (Dublin) - AB17 END\n1b) (Dublin) - AC18",  # an order follows
        "ORDERS RR7 1\n1a) (Dublin) - AB17 END\nEND",  # the block has an end of its own
        "1a) (Dublin) - AB17 END",  # no block was begun
    ],
)
def test_elsewhere_the_word_is_complained_of(read: Read, text: str) -> None:
    assert "invalid-word" in [complaint.code for complaint in read(text).complaints]


def test_prose_that_ends_so_ends_nothing(read: Read) -> None:
    reading = read("ORDERS RR7 1\n1a) (Dublin) - AB17\nPRESS: We saw THE END\nand then another END")
    assert reading.press == "We saw THE END\nand then another END"
    assert [complaint.code for complaint in reading.complaints] == ["note-no-end"]


# Marks of bold type and targets of links, which a mail program wrote and no player: read over, and nothing else with them.


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("*HOME* Belfast OR *Dublin*", "HOME Belfast OR Dublin"),
        ("*1a) (Dublin) - Y17*", "1a) (Dublin) - Y17"),
        ("***PASS***", "PASS"),
        ("_*PASS*_", "PASS"),
        ("/1b) (Y17) - X17/", "1b) (Y17) - X17"),
        ("* *1a)* (_Dublin_) - Y17", "* 1a) (Dublin) - Y17"),
        ("Y17*", "Y17"),
        ("Cork<https://maps.example/?q=Cork> - Bantry <mailto:bantry@example.org>", "Cork - Bantry"),
    ],
)
def test_marks_and_targets_are_read_over(written: str, said: str) -> None:
    assert without_markup(written) == said


@pytest.mark.parametrize(
    "line",
    [
        "* 1a) (Dublin) - Y17",
        "5*3 and 2*4",
        "snake_case_name",
        "and/or, 3/12/2026 /",
        "Dublin / Cork / Bantry",
        "____________________________",
        "Ann <ann@example.org>",
        "1 < 2 > 0",
        "**",
    ],
)
def test_nothing_else_is(line: str) -> None:
    assert without_markup(line) == line


@pytest.mark.parametrize("piece", ["*a", "* ", "*a *", "_a", "/a ", "/a", "<http://", "<http://a", " ", "***a"])
def test_it_takes_no_longer_than_the_line_is_long(piece: str) -> None:
    assert_grows_with(without_markup, pumped("x", piece, "x"))


def test_press_keeps_its_stars(read: Callable[[str], Reading]) -> None:
    reading = read("*PRESS:* I am *not* amused,\n*not at all*\n*END PRESS*\n*PASS*")
    assert reading.press == "* I am *not* amused,\n*not at all*"
    assert reading.commands == ("PASS",)


def test_a_rule_ends_an_order(read: Callable[[str], Reading]) -> None:
    reading = read("1a) (Dublin) - Y17\n-----------\nCork\n1b) (Cork) -\nBantry\n= = = =\nAnn")
    assert [phrase.text for phrase in reading.phrases] == ["1a) (Dublin) - Y17", "1b) (Cork) - Bantry"]
