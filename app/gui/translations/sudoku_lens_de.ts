<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Sudoku Lens</source>
        <translation>Über Sudoku Lens</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technische Einzelheiten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Sudoku Lens {}</source>
        <translation>Sudoku Lens {}</translation>
    </message>
    <message>
        <source>Finds the Sudokus on a photo, reads them, and shows a solution only where it is proved to be the only one.</source>
        <translation>Findet die Sudokus auf einem Foto, liest sie und zeigt eine Lösung nur, wenn bewiesen ist, dass es die einzige ist.</translation>
    </message>
    <message>
        <source>Photos stay on this computer: nothing is sent anywhere, and no account is needed.</source>
        <translation>Fotos bleiben auf diesem Rechner: Nichts wird verschickt, und es braucht kein Konto.</translation>
    </message>
    <message>
        <source>It is free, and its source code is open.</source>
        <translation>Das Programm ist frei, und sein Quelltext ist offen.</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Netze</translation>
    </message>
    <message>
        <source>Licence: {}</source>
        <translation>Lizenz: {}</translation>
    </message>
    <message>
        <source>The digit network was trained also on Street View House Numbers, which are for non-commercial purposes only.</source>
        <translation>Das Ziffernnetz wurde auch mit Street View House Numbers trainiert, die nur für nicht-kommerzielle Zwecke bestimmt sind.</translation>
    </message>
    <message>
        <source>Digits are drawn in Nunito (SIL Open Font Licence).</source>
        <translation>Ziffern sind in der Nunito gezeichnet (SIL Open Font Licence).</translation>
    </message>
    <message>
        <source>reads digits</source>
        <translation>liest Ziffern</translation>
    </message>
    <message>
        <source>finds boards</source>
        <translation>findet Gitter</translation>
    </message>
    <message>
        <source>reads the digits of a board side by side</source>
        <translation>liest die Ziffern eines Gitters im Vergleich</translation>
    </message>
    <message>
        <source>reads handwriting once more</source>
        <translation>liest Handschrift noch einmal</translation>
    </message>
    <message>
        <source>reads pencil marks</source>
        <translation>liest Notizen</translation>
    </message>
    <message>
        <source>reads boards of more than nine digits</source>
        <translation>liest Gitter mit mehr als neun Ziffern</translation>
    </message>
    <message>
        <source>reads Arabic, Persian and Devanagari digits</source>
        <translation>liest arabische, persische und Devanagari-Ziffern</translation>
    </message>
    <message>
        <source>reads the cages and sums of killers</source>
        <translation>liest Käfige und Summen von Killern</translation>
    </message>
    <message>
        <source>tells other puzzles from Sudokus</source>
        <translation>unterscheidet andere Rätsel von Sudokus</translation>
    </message>
    <message>
        <source>says which digit is likely where</source>
        <translation>sagt, welche Ziffer wo wahrscheinlich ist</translation>
    </message>
    <message>
        <source>is the rules themselves, never trained</source>
        <translation>besteht aus den Regeln selbst, nie trainiert</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open photos</source>
        <translation>Fotos öffnen</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Paste a photo or its file</source>
        <translation>Ein Foto oder seine Datei einfügen</translation>
    </message>
    <message>
        <source>Sample &amp;page</source>
        <translation>&amp;Beispielseite</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>&amp;Live</translation>
    </message>
    <message>
        <source>Camera, video or address</source>
        <translation>Kamera, Video oder Adresse</translation>
    </message>
    <message>
        <source>&amp;Use my phone…</source>
        <translation>Mein &amp;Telefon benutzen …</translation>
    </message>
    <message>
        <source>Take photos with a phone near by</source>
        <translation>Mit einem Telefon in der Nähe fotografieren</translation>
    </message>
    <message>
        <source>&amp;Type a puzzle</source>
        <translation>Rätsel ein&amp;tippen</translation>
    </message>
    <message>
        <source>&amp;New puzzle…</source>
        <translation>&amp;Neues Rätsel …</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Remove from the list</source>
        <translation>Aus der Liste &amp;nehmen</translation>
    </message>
    <message>
        <source>Show in its &amp;folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Been&amp;den</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Copy the solved &amp;picture</source>
        <translation>Gelöstes &amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy the &amp;digits</source>
        <translation>&amp;Ziffern kopieren</translation>
    </message>
    <message>
        <source>Copy the s&amp;olution</source>
        <translation>&amp;Lösung kopieren</translation>
    </message>
    <message>
        <source>&amp;Save the solved picture…</source>
        <translation>Gelöstes Bild &amp;speichern …</translation>
    </message>
    <message>
        <source>Pr&amp;int the puzzle…</source>
        <translation>Rätsel dr&amp;ucken …</translation>
    </message>
    <message>
        <source>&amp;Solution</source>
        <translation>&amp;Lösung</translation>
    </message>
    <message>
        <source>Show the solution</source>
        <translation>Die Lösung zeigen</translation>
    </message>
    <message>
        <source>Solution of the &amp;cell</source>
        <translation>Lösung des &amp;Felds</translation>
    </message>
    <message>
        <source>Printed or &amp;handwritten</source>
        <translation>Gedruckt oder &amp;handschriftlich</translation>
    </message>
    <message>
        <source>Correct kind, regions and ca&amp;ges</source>
        <translation>Art, Gebiete und Käfi&amp;ge berichtigen</translation>
    </message>
    <message>
        <source>Digits as they were &amp;read</source>
        <translation>Ziffern, wie sie &amp;gelesen wurden</translation>
    </message>
    <message>
        <source>Place the &amp;board</source>
        <translation>Gitter &amp;platzieren</translation>
    </message>
    <message>
        <source>Place &amp;another board</source>
        <translation>&amp;Weiteres Gitter platzieren</translation>
    </message>
    <message>
        <source>&amp;Find the boards again</source>
        <translation>Gitter erneut &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Photo</source>
        <translation>&amp;Foto</translation>
    </message>
    <message>
        <source>Photo &amp;and board</source>
        <translation>Foto &amp;und Gitter</translation>
    </message>
    <message>
        <source>&amp;Clean board</source>
        <translation>&amp;Reines Gitter</translation>
    </message>
    <message>
        <source>&amp;Whole photo</source>
        <translation>&amp;Ganzes Foto</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Turn &amp;left</source>
        <translation>Nach &amp;links drehen</translation>
    </message>
    <message>
        <source>Turn &amp;right</source>
        <translation>Nach &amp;rechts drehen</translation>
    </message>
    <message>
        <source>Zoom to the &amp;board</source>
        <translation>Auf das Gitter &amp;zoomen</translation>
    </message>
    <message>
        <source>Original si&amp;ze</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Ne&amp;xt board</source>
        <translation>Nä&amp;chstes Gitter</translation>
    </message>
    <message>
        <source>Previo&amp;us board</source>
        <translation>Vori&amp;ges Gitter</translation>
    </message>
    <message>
        <source>Next p&amp;hoto</source>
        <translation>N&amp;ächstes Foto</translation>
    </message>
    <message>
        <source>Pre&amp;vious photo</source>
        <translation>&amp;Voriges Foto</translation>
    </message>
    <message>
        <source>&amp;Hints</source>
        <translation>&amp;Tipps</translation>
    </message>
    <message>
        <source>Hints and checks</source>
        <translation>Tipps und Prüfung</translation>
    </message>
    <message>
        <source>&amp;Step by step</source>
        <translation>&amp;Schritt für Schritt</translation>
    </message>
    <message>
        <source>&amp;Techniques</source>
        <translation>Te&amp;chniken</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>&amp;Verlauf</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>S&amp;pielen</translation>
    </message>
    <message>
        <source>Solve this puzzle yourself</source>
        <translation>Dieses Rätsel selbst lösen</translation>
    </message>
    <message>
        <source>P&amp;ause</source>
        <translation>P&amp;ause</translation>
    </message>
    <message>
        <source>Mark digits that stand &amp;twice</source>
        <translation>&amp;Doppelte Ziffern markieren</translation>
    </message>
    <message>
        <source>Write &amp;digits</source>
        <translation>&amp;Ziffern schreiben</translation>
    </message>
    <message>
        <source>Write co&amp;rner marks</source>
        <translation>&amp;Eckmarken schreiben</translation>
    </message>
    <message>
        <source>Write corner marks, as Shift and a digit do</source>
        <translation>Eckmarken schreiben, wie Umschalt und eine Ziffer</translation>
    </message>
    <message>
        <source>Write c&amp;entre marks</source>
        <translation>&amp;Mittelmarken schreiben</translation>
    </message>
    <message>
        <source>Write centre marks, as Ctrl and a digit do</source>
        <translation>Mittelmarken schreiben, wie Strg und eine Ziffer</translation>
    </message>
    <message>
        <source>&amp;Colour cells</source>
        <translation>Zellen &amp;färben</translation>
    </message>
    <message>
        <source>Colour cells, as Ctrl, Shift and a digit do</source>
        <translation>Zellen färben, wie Strg, Umschalt und eine Ziffer</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>V&amp;ollbild</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>Einste&amp;llungen …</translation>
    </message>
    <message>
        <source>Less &amp;motion</source>
        <translation>Weniger &amp;Bewegung</translation>
    </message>
    <message>
        <source>Show solutions at &amp;once</source>
        <translation>Lösungen s&amp;ofort zeigen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Sudoku Lens</source>
        <translation>&amp;Über Sudoku Lens</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>left</source>
        <translation>links</translation>
    </message>
    <message>
        <source>right</source>
        <translation>rechts</translation>
    </message>
    <message>
        <source>top</source>
        <translation>oben</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>unten</translation>
    </message>
    <message>
        <source>the upper half</source>
        <translation>in der oberen Hälfte</translation>
    </message>
    <message>
        <source>the lower half</source>
        <translation>in der unteren Hälfte</translation>
    </message>
    <message>
        <source>the left half</source>
        <translation>in der linken Hälfte</translation>
    </message>
    <message>
        <source>the right half</source>
        <translation>in der rechten Hälfte</translation>
    </message>
    <message>
        <source>the upper left</source>
        <translation>oben links</translation>
    </message>
    <message>
        <source>the upper right</source>
        <translation>oben rechts</translation>
    </message>
    <message>
        <source>the lower left</source>
        <translation>unten links</translation>
    </message>
    <message>
        <source>the lower right</source>
        <translation>unten rechts</translation>
    </message>
    <message>
        <source>parts of the board</source>
        <translation>stellenweise</translation>
    </message>
    <message>
        <source>Part of the board is outside of the picture ({where}): take all of it.</source>
        <translation>Ein Teil des Gitters liegt außerhalb des Bildes ({where}): Nehmen Sie es ganz auf.</translation>
    </message>
    <message>
        <source>The cells are only {pixels} pixels high: take the photo nearer.</source>
        <translation>Die Felder sind nur {pixels} Pixel hoch: Fotografieren Sie aus größerer Nähe.</translation>
    </message>
    <message>
        <source>The board is blurred: hold the camera still, and let it focus.</source>
        <translation>Das Gitter ist unscharf: Halten Sie die Kamera ruhig, und lassen Sie sie scharf stellen.</translation>
    </message>
    <message>
        <source>Ink and paper hardly differ: take the photo in better light.</source>
        <translation>Druck und Papier unterscheiden sich kaum: Fotografieren Sie bei besserem Licht.</translation>
    </message>
    <message>
        <source>The board is dark: take the photo in more light.</source>
        <translation>Das Gitter ist dunkel: Fotografieren Sie bei mehr Licht.</translation>
    </message>
    <message>
        <source>The light falls off over {where}: take the photo in even light.</source>
        <translation>Das Licht fällt {where} ab: Fotografieren Sie bei gleichmäßigem Licht.</translation>
    </message>
    <message>
        <source>Some digits are by hand, and are not told from the printed ones for sure.</source>
        <translation>Einige Ziffern sind von Hand und nicht sicher von den gedruckten zu unterscheiden.</translation>
    </message>
    <message>
        <source>{count} cells are not read for sure.</source>
        <translation>{count} Felder sind nicht sicher gelesen.</translation>
    </message>
    <message>
        <source>Compare the sums of the cages at {cells}.</source>
        <translation>Vergleichen Sie die Summen der Käfige bei {cells}.</translation>
    </message>
    <message>
        <source>There are several solutions: a digit may be hidden or missing in {cells}.</source>
        <translation>Es gibt mehrere Lösungen: Vielleicht ist eine Ziffer verdeckt oder fehlt, in {cells}.</translation>
    </message>
    <message>
        <source>With both diagonals it has exactly one solution.</source>
        <translation>Mit beiden Diagonalen gibt es genau eine Lösung.</translation>
    </message>
    <message>
        <source>With four windows it has exactly one solution.</source>
        <translation>Mit vier Fenstern gibt es genau eine Lösung.</translation>
    </message>
    <message>
        <source>This seems to be a KenKen, not a Sudoku</source>
        <translation>Das scheint ein KenKen zu sein, kein Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a nonogram, not a Sudoku</source>
        <translation>Das scheint ein Nonogramm zu sein, kein Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a kakuro, not a Sudoku</source>
        <translation>Das scheint ein Kakuro zu sein, kein Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a Suguru, not a Sudoku</source>
        <translation>Das scheint ein Suguru zu sein, kein Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a crossword, not a Sudoku</source>
        <translation>Das scheint ein Kreuzworträtsel zu sein, kein Sudoku</translation>
    </message>
    <message>
        <source>If there is a Sudoku, take the photo nearer, with its whole border on it.</source>
        <translation>Falls ein Sudoku da ist, fotografieren Sie es aus der Nähe, mit dem ganzen Rand.</translation>
    </message>
    <message>
        <source>row {row}, column {column}</source>
        <translation>Zeile {row}, Spalte {column}</translation>
    </message>
    <message>
        <source>There are several solutions: a digit may be hidden or missing, perhaps in {cells}.</source>
        <translation>Es gibt mehrere Lösungen: Vielleicht ist eine Ziffer verdeckt oder fehlt, am ehesten in {cells}.</translation>
    </message>
    <message>
        <source>1 cell is not read for sure: {cells}.</source>
        <translation>1 Feld ist nicht sicher gelesen: {cells}.</translation>
    </message>
    <message>
        <source>{count} cells are not read for sure: {cells}.</source>
        <translation>{count} Felder sind nicht sicher gelesen: {cells}.</translation>
    </message>
    <message>
        <source>r{row}c{column}</source>
        <translation>Z{row}S{column}</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation>{first} oder {last}</translation>
    </message>
</context>
<context>
    <name>BoardAccess</name>
    <message>
        <source>row {0}, column {1}</source>
        <translation>Zeile {0}, Spalte {1}</translation>
    </message>
    <message>
        <source>no cell</source>
        <translation>kein Feld</translation>
    </message>
    <message>
        <source>clue</source>
        <translation>vorgegeben</translation>
    </message>
    <message>
        <source>{0}, solution; the entry {1} is wrong</source>
        <translation>{0}, Lösung; der Eintrag {1} ist falsch</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>eingetragen</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>Lösung</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>not read for sure</source>
        <translation>nicht sicher gelesen</translation>
    </message>
    <message>
        <source>corrected by the rules</source>
        <translation>nach den Regeln berichtigt</translation>
    </message>
    <message>
        <source>stands twice</source>
        <translation>steht doppelt</translation>
    </message>
    <message>
        <source>cage with the sum {0}</source>
        <translation>Käfig mit der Summe {0}</translation>
    </message>
    <message>
        <source>corner marks {0}</source>
        <translation>Eckmarken {0}</translation>
    </message>
    <message>
        <source>centre marks {0}</source>
        <translation>Mittelmarken {0}</translation>
    </message>
</context>
<context>
    <name>BoardSwitch</name>
    <message>
        <source>{0} boards</source>
        <translation>{0} Gitter</translation>
    </message>
    <message>
        <source>Board {0} of {1}</source>
        <translation>Gitter {0} von {1}</translation>
    </message>
</context>
<context>
    <name>CentralView</name>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet …</translation>
    </message>
</context>
<context>
    <name>CleanBoard</name>
    <message>
        <source>Clean board</source>
        <translation>Reines Gitter</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Close “{}”?</source>
        <translation>„{}“ schließen?</translation>
    </message>
    <message>
        <source>Close it</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Keep it open</source>
        <translation>Offen lassen</translation>
    </message>
    <message>
        <source>Quit all the same?</source>
        <translation>Trotzdem beenden?</translation>
    </message>
    <message>
        <source>What is open cannot be kept for the next start: {}. Save what you need first.</source>
        <translation>Was offen ist, lässt sich nicht für den nächsten Start aufheben: {}. Sichern Sie zuerst, was Sie brauchen.</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Do not quit</source>
        <translation>Nicht beenden</translation>
    </message>
    <message>
        <source>The picture is in no file, and would be lost.</source>
        <translation>Das Bild liegt in keiner Datei und ginge verloren.</translation>
    </message>
    <message>
        <source>What you typed there is not in the history yet, and would be lost.</source>
        <translation>Was Sie dort eingegeben haben, ist noch nicht im Verlauf und ginge verloren.</translation>
    </message>
    <message>
        <source>“{}” is off the list. Its file stays.</source>
        <translation>„{}“ steht nicht mehr in der Liste. Die Datei bleibt.</translation>
    </message>
    <message>
        <source>“{}” is off the list.</source>
        <translation>„{}“ steht nicht mehr in der Liste.</translation>
    </message>
    <message>
        <source>The photo lies in {}.</source>
        <translation>Das Foto liegt in {}.</translation>
    </message>
    <message>
        <source>The solution is copied.</source>
        <translation>Die Lösung ist kopiert.</translation>
    </message>
    <message>
        <source>Typed puzzle</source>
        <translation>Getipptes Rätsel</translation>
    </message>
    <message>
        <source>New puzzle</source>
        <translation>Neues Rätsel</translation>
    </message>
</context>
<context>
    <name>ContextMenus</name>
    <message>
        <source>&amp;Look at it</source>
        <translation>&amp;Ansehen</translation>
    </message>
</context>
<context>
    <name>CornerHandles</name>
    <message>
        <source>Corner {}: drag it, or move it by the arrow keys</source>
        <translation>Ecke {}: ziehen oder mit den Pfeiltasten bewegen</translation>
    </message>
</context>
<context>
    <name>CornerPlacement</name>
    <message>
        <source>Drag the four corners onto the corners of the board</source>
        <translation>Ziehen Sie die vier Ecken auf die Ecken des Gitters</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>DigitPad</name>
    <message>
        <source>Digit {}</source>
        <translation>Ziffer {}</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leer</translation>
    </message>
    <message>
        <source>The cell is empty</source>
        <translation>Das Feld ist leer</translation>
    </message>
    <message>
        <source>Show solution</source>
        <translation>Lösung zeigen</translation>
    </message>
    <message>
        <source>Show the solution here</source>
        <translation>Die Lösung hier zeigen</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>Ziffern</translation>
    </message>
    <message>
        <source>Is handwritten</source>
        <translation>Ist handschriftlich</translation>
    </message>
    <message>
        <source>Is printed</source>
        <translation>Ist gedruckt</translation>
    </message>
</context>
<context>
    <name>DoubtBar</name>
    <message>
        <source>Doubtful cells</source>
        <translation>Zweifelhafte Felder</translation>
    </message>
    <message>
        <source>Previous doubtful cell</source>
        <translation>Voriges zweifelhaftes Feld</translation>
    </message>
    <message>
        <source>Next doubtful cell</source>
        <translation>Nächstes zweifelhaftes Feld</translation>
    </message>
    <message>
        <source>Row {0}, column {1}</source>
        <translation>Zeile {0}, Spalte {1}</translation>
    </message>
    <message>
        <source>{0}: {1}?</source>
        <translation>{0}: {1}?</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>Digit {}</source>
        <translation>Ziffer {}</translation>
    </message>
    <message>
        <source>The cell is empty</source>
        <translation>Das Feld ist leer</translation>
    </message>
</context>
<context>
    <name>DropHint</name>
    <message>
        <source>Drop to open</source>
        <translation>Loslassen zum Öffnen</translation>
    </message>
</context>
<context>
    <name>Feed</name>
    <message>
        <source>It broke off; try again, or choose another.</source>
        <translation>Die Verbindung brach ab; versuchen Sie es noch einmal, oder wählen Sie eine andere Quelle.</translation>
    </message>
</context>
<context>
    <name>FileOpener</name>
    <message>
        <source>Sample page</source>
        <translation>Beispielseite</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>There is no photo and no puzzle in the clipboard</source>
        <translation>In der Zwischenablage ist weder ein Foto noch ein Rätsel</translation>
    </message>
    <message>
        <source>Pasted puzzle</source>
        <translation>Eingefügtes Rätsel</translation>
    </message>
    <message>
        <source>This link cannot be opened</source>
        <translation>Dieser Link lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>This text cannot be opened</source>
        <translation>Dieser Text lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>{} cells were found; a puzzle of 9×9 has 81</source>
        <translation>{} Felder wurden gefunden; ein Rätsel mit 9×9 hat 81</translation>
    </message>
    <message>
        <source>Write every cell, row by row, with a dot for an empty one.</source>
        <translation>Schreiben Sie jedes Feld, Zeile für Zeile, mit einem Punkt für ein leeres.</translation>
    </message>
    <message>
        <source>{} holds more puzzles; the first {} are open.</source>
        <translation>{} enthält mehr Rätsel; die ersten {} sind offen.</translation>
    </message>
    <message>
        <source>There is no puzzle in {}. Open a photo, or another file of puzzles.</source>
        <translation>In {} ist kein Rätsel. Öffnen Sie ein Foto oder eine andere Datei mit Rätseln.</translation>
    </message>
    <message>
        <source>There is no photo in {}. Open another folder, or choose photos.</source>
        <translation>In {} liegt kein Foto. Öffnen Sie einen anderen Ordner, oder wählen Sie Fotos.</translation>
    </message>
    <message>
        <source>&amp;Forget these</source>
        <translation>Diese &amp;vergessen</translation>
    </message>
</context>
<context>
    <name>FilmStrip</name>
    <message>
        <source>Open photos</source>
        <translation>Offene Fotos</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>r{row}c{column}</source>
        <translation>Z{row}S{column}</translation>
    </message>
    <message>
        <source>row {row}, column {column}</source>
        <translation>Zeile {row}, Spalte {column}</translation>
    </message>
    <message>
        <source>row {row}, columns {column}</source>
        <translation>Zeile {row}, Spalten {column}</translation>
    </message>
    <message>
        <source>column {column}, rows {rows}</source>
        <translation>Spalte {column}, Zeilen {rows}</translation>
    </message>
    <message>
        <source>row {number}</source>
        <translation>Zeile {number}</translation>
    </message>
    <message>
        <source>column {number}</source>
        <translation>Spalte {number}</translation>
    </message>
    <message>
        <source>box {number}</source>
        <translation>Block {number}</translation>
    </message>
    <message>
        <source>the region at {cell}</source>
        <translation>Region ab {cell}</translation>
    </message>
    <message>
        <source>the falling diagonal</source>
        <translation>Diagonale ↘</translation>
    </message>
    <message>
        <source>the rising diagonal</source>
        <translation>Diagonale ↗</translation>
    </message>
    <message>
        <source>window {number}</source>
        <translation>Fenster {number}</translation>
    </message>
    <message>
        <source>the cage {number} at {cell}</source>
        <translation>Käfig {number} bei {cell}</translation>
    </message>
    <message>
        <source>{unit} of grid {grid}</source>
        <translation>{unit} im Gitter {grid}</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation>{first} oder {last}</translation>
    </message>
    <message>
        <source>{digits} from {cells}</source>
        <translation>{digits} aus {cells}</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>leicht</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>schwer</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>sehr schwer</translation>
    </message>
    <message>
        <source>extreme</source>
        <translation>extrem</translation>
    </message>
    <message>
        <source>classic</source>
        <translation>klassisch</translation>
    </message>
    <message>
        <source>jigsaw</source>
        <translation>Jigsaw</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>diagonal</translation>
    </message>
    <message>
        <source>windoku</source>
        <translation>Windoku</translation>
    </message>
    <message>
        <source>killer</source>
        <translation>Killer</translation>
    </message>
    <message>
        <source>samurai</source>
        <translation>Samurai</translation>
    </message>
    <message>
        <source>Look at {units}.</source>
        <translation>Ort: {units}.</translation>
    </message>
    <message>
        <source>Look across the whole board.</source>
        <translation>Der Schritt reicht über das ganze Gitter.</translation>
    </message>
    <message>
        <source>Technique: {technique}, in {cells}.</source>
        <translation>Technik: {technique} in {cells}.</translation>
    </message>
    <message>
        <source>Look at {units}. Technique: {technique}, in {cells}.</source>
        <translation>Ort: {units}. Technik: {technique} in {cells}.</translation>
    </message>
    <message>
        <source>Strike {removals}.</source>
        <translation>Zu streichen: {removals}.</translation>
    </message>
    <message>
        <source>There is no hint: no solution of this puzzle has been verified. Check its digits first.</source>
        <translation>Es gibt keinen Tipp: Für dieses Rätsel ist keine Lösung nachgewiesen. Prüfen Sie zuerst die Ziffern.</translation>
    </message>
    <message>
        <source>{digit} stands twice in {units}.</source>
        <translation>Doppelt vorhanden in {units}: {digit}.</translation>
    </message>
    <message>
        <source>Some digits contradict each other.</source>
        <translation>Einige Ziffern widersprechen einander.</translation>
    </message>
    <message>
        <source>The puzzle is finished, and every digit is right.</source>
        <translation>Das Rätsel ist fertig, und jede Ziffer stimmt.</translation>
    </message>
    <message>
        <source>Every digit has been told.</source>
        <translation>Alle Ziffern wurden verraten.</translation>
    </message>
    <message>
        <source>First of all: one of your entries is wrong, in {units}.</source>
        <translation>Zuerst: Einer Ihrer Einträge ist falsch ({units}).</translation>
    </message>
    <message>
        <source>First of all: {count} of your entries are wrong, in {units}.</source>
        <translation>Zuerst: {count} Ihrer Einträge sind falsch ({units}).</translation>
    </message>
    <message>
        <source>First of all, look at your entries once more: {cells}.</source>
        <translation>Sehen Sie sich zuerst diese Einträge noch einmal an: {cells}.</translation>
    </message>
    <message>
        <source>Your entries that are wrong: {corrections}.</source>
        <translation>Falsche Einträge: {corrections}.</translation>
    </message>
    <message>
        <source>{cell} has {written}, but is {digit}</source>
        <translation>in {cell} steht {written}, richtig ist {digit}</translation>
    </message>
    <message>
        <source>None of the techniques known here goes on from this point. Reveal a cell, such as {cell}, and ask again.</source>
        <translation>Von hier führt keine der bekannten Techniken weiter. Decken Sie ein Feld auf, etwa {cell}, und fragen Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>There are no entries to check.</source>
        <translation>Es gibt keine Einträge zu prüfen.</translation>
    </message>
    <message>
        <source>Your one entry is right.</source>
        <translation>Ihr Eintrag ist richtig.</translation>
    </message>
    <message>
        <source>All {count} of your entries are right.</source>
        <translation>Alle {count} Einträge sind richtig.</translation>
    </message>
    <message>
        <source>{right} right, {wrong} wrong: {cells}.</source>
        <translation>Richtig: {right}, falsch: {wrong} ({cells}).</translation>
    </message>
    <message>
        <source>Not read for sure: {cells}.</source>
        <translation>Nicht sicher gelesen: {cells}.</translation>
    </message>
    <message>
        <source>The right candidate is struck out: {cells}.</source>
        <translation>Der richtige Kandidat ist gestrichen: {cells}.</translation>
    </message>
    <message>
        <source>Your entries cannot be checked: no solution of this puzzle has been verified.</source>
        <translation>Die Einträge lassen sich nicht prüfen: Für dieses Rätsel ist keine Lösung nachgewiesen.</translation>
    </message>
    <message>
        <source>{level} ({score}); hardest step: {technique}</source>
        <translation>{level} ({score}); schwerster Schritt: {technique}</translation>
    </message>
    <message>
        <source>{level}; beyond the techniques known here</source>
        <translation>{level}; jenseits der bekannten Techniken</translation>
    </message>
    <message>
        <source>{level}; nothing is left to solve</source>
        <translation>{level}; nichts mehr zu lösen</translation>
    </message>
    <message>
        <source>full house in {unit}</source>
        <translation>letztes freies Feld in {unit}</translation>
    </message>
    <message>
        <source>hidden single in {unit}</source>
        <translation>versteckter Einer in {unit}</translation>
    </message>
    <message>
        <source>The puzzle as it was given.</source>
        <translation>Das Rätsel, wie es gestellt ist.</translation>
    </message>
    <message>
        <source>Solved.</source>
        <translation>Gelöst.</translation>
    </message>
    <message>
        <source>None of the techniques known here goes on from this point.</source>
        <translation>Von hier führt keine der bekannten Techniken weiter.</translation>
    </message>
    <message>
        <source>full house</source>
        <translation>letztes freies Feld</translation>
    </message>
    <message>
        <source>hidden single in a box</source>
        <translation>versteckter Einer im Block</translation>
    </message>
    <message>
        <source>hidden single in a row or column</source>
        <translation>versteckter Einer in Zeile oder Spalte</translation>
    </message>
    <message>
        <source>direct pointing</source>
        <translation>direktes Pointing</translation>
    </message>
    <message>
        <source>direct claiming</source>
        <translation>direktes Claiming</translation>
    </message>
    <message>
        <source>direct hidden pair</source>
        <translation>direktes verstecktes Paar</translation>
    </message>
    <message>
        <source>naked single</source>
        <translation>nackter Einer</translation>
    </message>
    <message>
        <source>direct hidden triple</source>
        <translation>direkter versteckter Dreier</translation>
    </message>
    <message>
        <source>pointing (locked candidates)</source>
        <translation>Pointing (gebundene Kandidaten)</translation>
    </message>
    <message>
        <source>claiming (locked candidates)</source>
        <translation>Claiming (gebundene Kandidaten)</translation>
    </message>
    <message>
        <source>naked pair</source>
        <translation>nacktes Paar</translation>
    </message>
    <message>
        <source>X-wing</source>
        <translation>X-Wing</translation>
    </message>
    <message>
        <source>hidden pair</source>
        <translation>verstecktes Paar</translation>
    </message>
    <message>
        <source>naked triple</source>
        <translation>nackter Dreier</translation>
    </message>
    <message>
        <source>swordfish</source>
        <translation>Schwertfisch</translation>
    </message>
    <message>
        <source>hidden triple</source>
        <translation>versteckter Dreier</translation>
    </message>
    <message>
        <source>skyscraper</source>
        <translation>Wolkenkratzer</translation>
    </message>
    <message>
        <source>two-string kite</source>
        <translation>Drachen (Two-String Kite)</translation>
    </message>
    <message>
        <source>turbot fish</source>
        <translation>Turbot-Fisch</translation>
    </message>
    <message>
        <source>simple colouring</source>
        <translation>einfaches Färben</translation>
    </message>
    <message>
        <source>XY-wing</source>
        <translation>XY-Wing</translation>
    </message>
    <message>
        <source>grouped turbot fish</source>
        <translation>gruppierter Turbot-Fisch</translation>
    </message>
    <message>
        <source>XYZ-wing</source>
        <translation>XYZ-Wing</translation>
    </message>
    <message>
        <source>W-wing</source>
        <translation>W-Wing</translation>
    </message>
    <message>
        <source>unique rectangle type 1</source>
        <translation>eindeutiges Rechteck, Typ 1</translation>
    </message>
    <message>
        <source>unique rectangle type 2</source>
        <translation>eindeutiges Rechteck, Typ 2</translation>
    </message>
    <message>
        <source>unique rectangle type 4</source>
        <translation>eindeutiges Rechteck, Typ 4</translation>
    </message>
    <message>
        <source>unique rectangle type 3</source>
        <translation>eindeutiges Rechteck, Typ 3</translation>
    </message>
    <message>
        <source>unique loop</source>
        <translation>eindeutige Schleife</translation>
    </message>
    <message>
        <source>hidden rectangle</source>
        <translation>verstecktes Rechteck</translation>
    </message>
    <message>
        <source>naked quad</source>
        <translation>nackter Vierer</translation>
    </message>
    <message>
        <source>jellyfish</source>
        <translation>Qualle (Jellyfish)</translation>
    </message>
    <message>
        <source>hidden quad</source>
        <translation>versteckter Vierer</translation>
    </message>
    <message>
        <source>X-chain of three strong links</source>
        <translation>X-Kette aus drei starken Verbindungen</translation>
    </message>
    <message>
        <source>WXYZ-wing</source>
        <translation>WXYZ-Wing</translation>
    </message>
    <message>
        <source>BUG+1</source>
        <translation>BUG+1</translation>
    </message>
    <message>
        <source>grouped X-chain of three strong links</source>
        <translation>gruppierte X-Kette aus drei starken Verbindungen</translation>
    </message>
    <message>
        <source>VWXYZ-wing</source>
        <translation>VWXYZ-Wing</translation>
    </message>
    <message>
        <source>remote pair</source>
        <translation>entferntes Paar (Remote Pair)</translation>
    </message>
    <message>
        <source>X-cycle</source>
        <translation>X-Zyklus</translation>
    </message>
    <message>
        <source>XY-cycle</source>
        <translation>XY-Zyklus</translation>
    </message>
    <message>
        <source>X-chain</source>
        <translation>X-Kette</translation>
    </message>
    <message>
        <source>XY-chain</source>
        <translation>XY-Kette</translation>
    </message>
    <message>
        <source>continuous AIC loop</source>
        <translation>geschlossene AIC-Schleife</translation>
    </message>
    <message>
        <source>alternating inference chain</source>
        <translation>alternierende Kette (AIC)</translation>
    </message>
    <message>
        <source>nishio forcing chain</source>
        <translation>Nishio-Zwangskette</translation>
    </message>
    <message>
        <source>cell forcing chain</source>
        <translation>Zwangskette über ein Feld</translation>
    </message>
    <message>
        <source>unit forcing chain</source>
        <translation>Zwangskette über eine Einheit</translation>
    </message>
    <message>
        <source>dynamic forcing chain</source>
        <translation>dynamische Zwangskette</translation>
    </message>
    <message>
        <source>dynamic forcing chain with locked candidates</source>
        <translation>dynamische Zwangskette mit gebundenen Kandidaten</translation>
    </message>
    <message>
        <source>hidden single</source>
        <translation>versteckter Einer</translation>
    </message>
    <message>
        <source>cage combinations</source>
        <translation>Käfigkombinationen</translation>
    </message>
    <message>
        <source>digit that a cage needs</source>
        <translation>Ziffer, die ein Käfig braucht</translation>
    </message>
    <message>
        <source>innies and outies (rule of 45)</source>
        <translation>Innen- und Außenfelder (45er-Regel)</translation>
    </message>
    <message>
        <source>In {units}, {digit} fits only in {cell}.</source>
        <translation>In {units} passt {digit} nur in {cell}.</translation>
    </message>
    <message>
        <source>{cell} can only be {digit}: every other digit is ruled out for it.</source>
        <translation>In {cell} kann nur {digit} stehen: Jede andere Ziffer ist dort ausgeschlossen.</translation>
    </message>
    <message>
        <source>{cell} is the last empty cell of {units}, so it takes the missing {digit}.</source>
        <translation>{cell} ist das letzte freie Feld in {units} und bekommt die fehlende {digit}.</translation>
    </message>
    <message>
        <source>In {units}, only {cell} is empty, and {total} is left of the sum.</source>
        <translation>In {units} ist nur noch {cell} frei, und von der Summe bleibt {total}.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave {total} for {cell}.</source>
        <translation>Nach der {rule}er-Regel lassen {units} und die Käfige dort {total} für {cell} übrig.</translation>
    </message>
    <message>
        <source>{cell} can only be {digit}: every other digit is ruled out for it by its row, column and box.</source>
        <translation>In {cell} kann nur {digit} stehen: Zeile, Spalte und Block schließen jede andere Ziffer aus.</translation>
    </message>
    <message>
        <source>Without {digit} in {cell}, every empty cell would have two candidates, and the puzzle two solutions or none; so {cell} is {digit}.</source>
        <translation>Ohne {digit} in {cell} hätte jedes freie Feld zwei Kandidaten und das Rätsel zwei Lösungen oder keine; also steht in {cell} die {digit}.</translation>
    </message>
    <message>
        <source>In {first}, {struck} fits only in {any_cell}, all in {second}, so the rest of {second} cannot hold it.</source>
        <translation>In {first} passt {struck} nur in {any_cell}. Diese Felder liegen alle in {second}, also fällt {struck} dort sonst überall weg.</translation>
    </message>
    <message>
        <source>The cells {cells} can hold nothing but {digits} and use them up, so no other cell of {units} can hold them.</source>
        <translation>In {cells} passt nichts als {digits}; damit sind diese Ziffern vergeben und fallen für die übrigen Felder von {units} weg.</translation>
    </message>
    <message>
        <source>In {units}, {digits} fit only in {cells}, so these cells have no room for anything else.</source>
        <translation>In {units} passen {digits} nur in {cells}; für anderes ist in diesen Feldern kein Platz.</translation>
    </message>
    <message>
        <source>The places for {struck} in {cells} lie in as many rows as columns ({units}) and use all of these up, so {struck} cannot stand anywhere else there.</source>
        <translation>Die Plätze für {struck} in {cells} liegen in ebenso vielen Zeilen wie Spalten ({units}) und belegen diese alle; anderswo kann {struck} dort nicht stehen.</translation>
    </message>
    <message>
        <source>Whatever {cells} hold, {struck} is among them, so no cell that sees all its places there can hold it.</source>
        <translation>Was auch immer in {cells} steht, {struck} ist dabei; kein Feld, das all diese Plätze sieht, kann sie enthalten.</translation>
    </message>
    <message>
        <source>In {units}, a sum of {total} is left for {cells}, which is {sums}.</source>
        <translation>In {units} bleibt für {cells} die Summe {total}, also {sums}.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, which is {sums}.</source>
        <translation>Nach der {rule}er-Regel lassen {units} und die Käfige dort für {cells} die Summe {total} übrig, also {sums}.</translation>
    </message>
    <message>
        <source>In {units}, a sum of {total} is left for {cells}, which not all of their candidates can be part of.</source>
        <translation>In {units} bleibt für {cells} die Summe {total}, zu der nicht alle ihre Kandidaten passen.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, which not all of their candidates can be part of.</source>
        <translation>Nach der {rule}er-Regel lassen {units} und die Käfige dort für {cells} die Summe {total} übrig, zu der nicht alle ihre Kandidaten passen.</translation>
    </message>
    <message>
        <source>In {units}, the sum needs {struck}, which fits only in {any_cell}, so no cell that sees all of these can hold it.</source>
        <translation>In {units} braucht die Summe {struck}; das passt nur in {any_cell}, fällt also für jedes Feld weg, das alle diese sieht.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution, so {cells_roof} must hold another digit.</source>
        <translation>Stünde in {cells} nur {digits}, ließe sich das zu einer zweiten Lösung vertauschen; also steht in {cells_roof} eine andere Ziffer.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution, so one of {cells_roof} must be {digits_more}.</source>
        <translation>Stünde in {cells} nur {digits}, ließe sich das zu einer zweiten Lösung vertauschen; also steht in einem der Felder {cells_roof} die {digits_more}, und kein Feld, das sie alle sieht, kann sie enthalten.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution. In {unit}, {digits_there} fits only in {cells_roof}, so neither of these can be {digits_other}.</source>
        <translation>Stünde in {cells} nur {digits}, ließe sich das zu einer zweiten Lösung vertauschen. In {unit} passt {digits_there} nur in {cells_roof}, also kann in keinem der beiden {digits_other} stehen.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution. With {digits_other} in {cells_corner} it would come to that, as in {unit_row} and in {unit_column}, {digits_there} fits only in corners.</source>
        <translation>Stünde in {cells} nur {digits}, ließe sich das zu einer zweiten Lösung vertauschen. Mit {digits_other} in {cells_corner} käme es dazu, weil {digits_there} in {unit_row} und in {unit_column} nur in die Ecken passt.</translation>
    </message>
    <message>
        <source>{cells_ends} cannot both be {digits_other}, as {unit} would then have no place for it, so one of them is {digits}, and no cell that sees both can hold {digits}.</source>
        <translation>In {cells_ends} kann nicht beide Male {digits_other} stehen, denn sonst bliebe dafür in {unit} kein Platz; also steht in einem davon {digits}, und kein Feld, das beide sieht, kann {digits} enthalten.</translation>
    </message>
    <message>
        <source>{digits} stands either in all of {cells_one} or in all of {cells_two}; two of the latter see each other, so it stands in none of them.</source>
        <translation>{digits} steht entweder überall in {cells_one} oder überall in {cells_two}; von diesen sehen zwei einander, also steht sie dort nirgends.</translation>
    </message>
    <message>
        <source>{digits} stands either in all of {cells_one} or in all of {cells_two}, so no cell that sees one of each can hold it.</source>
        <translation>{digits} steht entweder überall in {cells_one} oder überall in {cells_two}; kein Feld, das von beiden je eines sieht, kann sie enthalten.</translation>
    </message>
    <message>
        <source>Along {chain}, {digits} take turns, so {cells_ends} hold one each, and no cell that sees both can hold either.</source>
        <translation>Entlang {chain} wechseln sich {digits} ab; in {cells_ends} steht je eine davon, und kein Feld, das beide sieht, kann eine enthalten.</translation>
    </message>
    <message>
        <source>en</source>
        <translation>de</translation>
    </message>
    <message>
        <source>On your board now</source>
        <translation>Jetzt auf Ihrem Gitter</translation>
    </message>
    <message>
        <source>An example</source>
        <translation>Ein Beispiel</translation>
    </message>
    <message>
        <source>How to spot it</source>
        <translation>Woran man sie erkennt</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Was daraus folgt</translation>
    </message>
    <message>
        <source>rows {numbers}</source>
        <translation>Zeile {numbers}</translation>
    </message>
    <message>
        <source>columns {numbers}</source>
        <translation>Spalte {numbers}</translation>
    </message>
    <message>
        <source>boxes {numbers}</source>
        <translation>Block {numbers}</translation>
    </message>
    <message>
        <source>windows {numbers}</source>
        <translation>Fenster {numbers}</translation>
    </message>
    <message>
        <source>{cell} is {digit}</source>
        <translation>{cell} = {digit}</translation>
    </message>
    <message>
        <source>{cell} is not {digit}</source>
        <translation>{cell} ≠ {digit}</translation>
    </message>
    <message>
        <source>{before}, so {after}</source>
        <translation>{before} → {after}</translation>
    </message>
    <message>
        <source>if {start}, then {then}</source>
        <translation>{start} → {then}</translation>
    </message>
    <message>
        <source>in {unit} it fits only in {one} or in {other}</source>
        <translation>in {unit} passt sie nur in {one} oder in {other}</translation>
    </message>
    <message>
        <source>If {start}, then {then}. So {first} or {second}, and what both rule out is wrong.</source>
        <translation>{start} → {then}. Also {first} oder {second}; was beides ausschließt, ist falsch.</translation>
    </message>
    <message>
        <source>If {start}, then {then}. So {target} in any case.</source>
        <translation>{start} → {then}. Also auf jeden Fall {target}.</translation>
    </message>
    <message>
        <source>If {start}, then {then}: a ring, which holds backwards, too. Of each two neighbours in it one is right, and what both rule out is wrong.</source>
        <translation>{start} → {then}: ein Ring, der auch rückwärts gilt. Von je zwei Nachbarn darin ist einer richtig; was beide ausschließen, ist falsch.</translation>
    </message>
    <message>
        <source>Whatever digit {cell_choice} takes, {target}: {branches}.</source>
        <translation>Welche Ziffer auch in {cell_choice} steht: {target}, denn {branches}.</translation>
    </message>
    <message>
        <source>Wherever {digits} goes in {unit}, {target}: {branches}.</source>
        <translation>Wo {digits} in {unit} auch steht: {target}, denn {branches}.</translation>
    </message>
    <message>
        <source>Suppose, one after the other: {story}. That contradicts itself, so {target}.</source>
        <translation>Angenommen, eins nach dem anderen: {story}. Das widerspricht sich, also {target}.</translation>
    </message>
    <message>
        <source>Follow {digits}: {links}. So it stands at one end of this chain, and no cell that sees both {cells_one} and {cells_two} can hold it.</source>
        <translation>Folgen Sie der {digits}: {links}. Also steht sie an einem Ende dieser Kette, und kein Feld, das {cells_one} und {cells_two} sieht, kann sie enthalten.</translation>
    </message>
    <message>
        <source>If {cells_corners} held only {digits}, these could be swapped for a second solution, so {cells_roof} hold one of {digits_more} and, with {cells_subset}, use up {digits_used} in {unit}.</source>
        <translation>Stünde in {cells_corners} nur {digits}, ließe sich das zu einer zweiten Lösung vertauschen; also enthält eines der Felder {cells_roof} eine der Ziffern {digits_more}, und zusammen mit {cells_subset} sind in {unit} die Ziffern {digits_used} vergeben.</translation>
    </message>
    <message>
        <source>What {cells} rule out leaves {cell} as the only place for {digit} in {second}.</source>
        <translation>Was {cells} ausschließen, lässt für {digit} in {second} nur {cell} übrig.</translation>
    </message>
</context>
<context>
    <name>HelpPanel</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Tipp</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Take the marks off the board, and begin hints anew</source>
        <translation>Markierungen entfernen und mit den Tipps neu beginnen</translation>
    </message>
    <message>
        <source>What is this technique?</source>
        <translation>Was ist das für eine Technik?</translation>
    </message>
    <message>
        <source>Check my entries</source>
        <translation>Meine Einträge prüfen</translation>
    </message>
    <message>
        <source>Reveal all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Reveal this cell</source>
        <translation>Dieses Feld zeigen</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>After logic</source>
        <translation>Nach Logik</translation>
    </message>
    <message>
        <source>No candidates</source>
        <translation>Keine Kandidaten</translation>
    </message>
    <message>
        <source>All candidates</source>
        <translation>Alle Kandidaten</translation>
    </message>
    <message>
        <source>Candidates that logic leaves</source>
        <translation>Kandidaten, die die Logik übrig lässt</translation>
    </message>
    <message>
        <source>Every digit that no row, column or box rules out</source>
        <translation>Jede Ziffer, die Zeile, Spalte und Block zulassen</translation>
    </message>
    <message>
        <source>What locked candidates, pairs, triples and fish leave of them</source>
        <translation>Was gebundene Kandidaten, Paare, Dreier und Fische davon übrig lassen</translation>
    </message>
    <message>
        <source>A hint says first where to look, then the technique and its cells, then the step.</source>
        <translation>Ein Tipp sagt erst, wo man suchen soll, dann die Technik und ihre Felder und dann den Schritt.</translation>
    </message>
    <message>
        <source>Open a photo or a puzzle, and help is at hand.</source>
        <translation>Öffnen Sie ein Foto oder ein Rätsel, dann gibt es hier Hilfe.</translation>
    </message>
    <message>
        <source>Next hint</source>
        <translation>Nächster Tipp</translation>
    </message>
    <message>
        <source>Which cells?</source>
        <translation>Welche Felder?</translation>
    </message>
    <message>
        <source>Show the step</source>
        <translation>Schritt zeigen</translation>
    </message>
    <message>
        <source>Reveal a cell</source>
        <translation>Ein Feld zeigen</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Search: photo, difficulty, digits</source>
        <translation>Suche: Foto, Schwierigkeit, Ziffern</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>Den Verlauf durchsuchen</translation>
    </message>
    <message>
        <source>Puzzles, newest first</source>
        <translation>Rätsel, die neuesten zuerst</translation>
    </message>
    <message>
        <source>Begin a new history</source>
        <translation>Neuen Verlauf beginnen</translation>
    </message>
    <message>
        <source>Deleted.</source>
        <translation>Gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Put the deleted puzzle back</source>
        <translation>Das gelöschte Rätsel zurückholen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Nothing is found. Search for less.</source>
        <translation>Nichts gefunden. Suchen Sie nach weniger.</translation>
    </message>
    <message>
        <source>Puzzles that are solved will stand here.</source>
        <translation>Hier stehen später die gelösten Rätsel.</translation>
    </message>
    <message>
        <source>The history is damaged and cannot be read.</source>
        <translation>Der Verlauf ist beschädigt und nicht lesbar.</translation>
    </message>
    <message>
        <source>Another program holds the history. Try again in a moment.</source>
        <translation>Ein anderes Programm hält den Verlauf fest. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>The disk is full, so the history cannot be kept.</source>
        <translation>Der Datenträger ist voll, der Verlauf kann nicht weitergeführt werden.</translation>
    </message>
    <message>
        <source>The history cannot be opened or written to.</source>
        <translation>Der Verlauf lässt sich nicht öffnen oder schreiben.</translation>
    </message>
    <message>
        <source>A later version of Sudoku Lens wrote the history. Use that version to see it.</source>
        <translation>Eine neuere Version von Sudoku Lens hat den Verlauf geschrieben. Öffnen Sie ihn mit dieser.</translation>
    </message>
    <message>
        <source>Puzzle of {0} clues</source>
        <translation>Rätsel mit {0} Vorgaben</translation>
    </message>
    <message>
        <source>solved in {0}</source>
        <translation>gelöst in {0}</translation>
    </message>
</context>
<context>
    <name>HistoryRecorder</name>
    <message>
        <source>From the history</source>
        <translation>Aus dem Verlauf</translation>
    </message>
</context>
<context>
    <name>LiveEntry</name>
    <message>
        <source>Snapshot {}</source>
        <translation>Schnappschuss {}</translation>
    </message>
</context>
<context>
    <name>LivePage</name>
    <message>
        <source>Freeze</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Take as a photo</source>
        <translation>Als Foto nehmen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>The picture is copied</source>
        <translation>Das Bild ist kopiert</translation>
    </message>
    <message>
        <source>Open a video</source>
        <translation>Ein Video öffnen</translation>
    </message>
    <message>
        <source>Videos ({})</source>
        <translation>Videos ({})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
</context>
<context>
    <name>LiveScreen</name>
    <message>
        <source>Live picture</source>
        <translation>Livebild</translation>
    </message>
</context>
<context>
    <name>LiveSources</name>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Camera, video file or address</source>
        <translation>Kamera, Videodatei oder Adresse</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>rtsp://… or http://…</source>
        <translation>rtsp://… oder http://…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Video file…</source>
        <translation>Videodatei …</translation>
    </message>
    <message>
        <source>Address…</source>
        <translation>Adresse …</translation>
    </message>
    <message>
        <source>Choose a source</source>
        <translation>Quelle wählen</translation>
    </message>
    <message>
        <source>No camera</source>
        <translation>Keine Kamera</translation>
    </message>
</context>
<context>
    <name>LiveWord</name>
    <message>
        <source>Reading the digits…</source>
        <translation>Die Ziffern werden gelesen …</translation>
    </message>
    <message>
        <source>Hold the page still for a moment.</source>
        <translation>Halten Sie die Seite einen Moment ruhig.</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>exactly one solution</source>
        <translation>genau eine Lösung</translation>
    </message>
    <message>
        <source>More than one solution</source>
        <translation>Mehr als eine Lösung</translation>
    </message>
    <message>
        <source>Perhaps a digit is hidden: come nearer, and hold the page flat.</source>
        <translation>Vielleicht ist eine Ziffer verdeckt: Gehen Sie näher heran und halten Sie die Seite flach.</translation>
    </message>
    <message>
        <source>The digits contradict each other</source>
        <translation>Die Ziffern widersprechen einander</translation>
    </message>
    <message>
        <source>Perhaps one is misread: come nearer, or get more light.</source>
        <translation>Vielleicht ist eine falsch gelesen: Gehen Sie näher heran oder sorgen Sie für mehr Licht.</translation>
    </message>
    <message>
        <source>Not all digits can be read yet</source>
        <translation>Noch sind nicht alle Ziffern lesbar</translation>
    </message>
    <message>
        <source>Come nearer, hold the page still, or get more light.</source>
        <translation>Gehen Sie näher heran, halten Sie die Seite ruhig oder sorgen Sie für mehr Licht.</translation>
    </message>
    <message>
        <source>Looking for a Sudoku</source>
        <translation>Ein Sudoku wird gesucht</translation>
    </message>
    <message>
        <source>Hold the page so that the whole grid is in the picture.</source>
        <translation>Halten Sie die Seite so, dass das ganze Gitter im Bild ist.</translation>
    </message>
    <message>
        <source>The picture is frozen.</source>
        <translation>Das Bild ist angehalten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet …</translation>
    </message>
    <message>
        <source>Waiting for the first picture…</source>
        <translation>Das erste Bild wird erwartet …</translation>
    </message>
    <message>
        <source>Boards cannot be read here</source>
        <translation>Gitter lassen sich hier nicht lesen</translation>
    </message>
    <message>
        <source>No camera was found</source>
        <translation>Keine Kamera gefunden</translation>
    </message>
    <message>
        <source>Plug one in, or choose a video file or an address above.</source>
        <translation>Schließen Sie eine an, oder wählen Sie oben eine Videodatei oder eine Adresse.</translation>
    </message>
    <message>
        <source>Install it with: pip install pyside6-addons</source>
        <translation>Installieren Sie es mit: pip install pyside6-addons</translation>
    </message>
    <message>
        <source>Install it with: sudo apt install libpulse0</source>
        <translation>Installieren Sie es mit: sudo apt install libpulse0</translation>
    </message>
    <message>
        <source>The system says: {}</source>
        <translation>Das System meldet: {}</translation>
    </message>
    <message>
        <source>Video files and addresses can be shown without it.</source>
        <translation>Videodateien und Adressen lassen sich auch ohne zeigen.</translation>
    </message>
    <message>
        <source>Cameras need a part that is not installed</source>
        <translation>Kameras brauchen einen Teil, der nicht installiert ist</translation>
    </message>
    <message>
        <source>The camera was unplugged</source>
        <translation>Die Kamera wurde abgezogen</translation>
    </message>
    <message>
        <source>Plug it in again and it goes on, or choose another source.</source>
        <translation>Schließen Sie sie wieder an, dann geht es weiter, oder wählen Sie eine andere Quelle.</translation>
    </message>
    <message>
        <source>The camera may not be used</source>
        <translation>Die Kamera darf nicht benutzt werden</translation>
    </message>
    <message>
        <source>Allow it in the privacy settings of the system, then try again.</source>
        <translation>Erlauben Sie es in den Datenschutzeinstellungen des Systems und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>The camera shows no picture</source>
        <translation>Die Kamera zeigt kein Bild</translation>
    </message>
    <message>
        <source>Perhaps another program uses it: close that one, then try again.</source>
        <translation>Vielleicht benutzt ein anderes Programm sie: Schließen Sie es und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>This source cannot be shown</source>
        <translation>Diese Quelle lässt sich nicht zeigen</translation>
    </message>
    <message>
        <source>{name} is no video that can be played: choose another, such as an .mp4.</source>
        <translation>{name} ist kein Video, das abgespielt werden kann: Wählen Sie ein anderes, etwa ein .mp4.</translation>
    </message>
    <message>
        <source>Nothing was received from {name}: check the address and the network.</source>
        <translation>Von {name} wurde nichts empfangen: Prüfen Sie Adresse und Netz.</translation>
    </message>
    <message>
        <source>The video has ended</source>
        <translation>Das Video ist zu Ende</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>Noch einmal abspielen</translation>
    </message>
</context>
<context>
    <name>Loupe</name>
    <message>
        <source>Loupe</source>
        <translation>Lupe</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Board</source>
        <translation>&amp;Gitter</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>S&amp;pielen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>S&amp;hare</source>
        <translation>Tei&amp;len</translation>
    </message>
    <message>
        <source>High &amp;contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Teilen</translation>
    </message>
</context>
<context>
    <name>NewPuzzleDialog</name>
    <message>
        <source>New puzzle</source>
        <translation>Neues Rätsel</translation>
    </message>
    <message>
        <source>How hard shall it be?</source>
        <translation>Wie schwer soll es sein?</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}: {1}</translation>
    </message>
    <message>
        <source>for beginners, each digit is soon seen</source>
        <translation>für Anfänger, jede Ziffer ist bald gesehen</translation>
    </message>
    <message>
        <source>{0} grids</source>
        <translation>{0} Gitter</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>with some searching in rows and columns</source>
        <translation>mit etwas Suchen in Zeilen und Spalten</translation>
    </message>
    <message>
        <source>it helps to note which digits may stand in a cell</source>
        <translation>es hilft, mögliche Ziffern in die Felder zu notieren</translation>
    </message>
    <message>
        <source>for the practised, digits follow from long trains of thought</source>
        <translation>für Geübte, Ziffern folgen aus längeren Überlegungen</translation>
    </message>
    <message>
        <source>for the tireless, several cases must be thought through</source>
        <translation>für Unermüdliche, mehrere Fälle sind durchzudenken</translation>
    </message>
    <message>
        <source>Digits given</source>
        <translation>Vorgegebene Ziffern</translation>
    </message>
    <message>
        <source>anywhere</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>look the same upside down</source>
        <translation>auf dem Kopf gleich</translation>
    </message>
    <message>
        <source>look the same on every side</source>
        <translation>von jeder Seite gleich</translation>
    </message>
    <message>
        <source>left and right are mirror images</source>
        <translation>links und rechts spiegelbildlich</translation>
    </message>
    <message>
        <source>top and bottom are mirror images</source>
        <translation>oben und unten spiegelbildlich</translation>
    </message>
    <message>
        <source>mirrored at the diagonal</source>
        <translation>an der Diagonale gespiegelt</translation>
    </message>
    <message>
        <source>A puzzle is being made</source>
        <translation>Ein Rätsel wird erstellt</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Looking for such a puzzle. Hard ones may take a minute.</source>
        <translation>Ein solches Rätsel wird gesucht. Schwere können eine Minute dauern.</translation>
    </message>
    <message>
        <source>No such puzzle was found. Try again, or choose otherwise.</source>
        <translation>Es wurde kein solches Rätsel gefunden. Versuchen Sie es noch einmal, oder wählen Sie anders.</translation>
    </message>
    <message>
        <source>There is no scale of how hard such puzzles are.</source>
        <translation>Wie schwer solche Rätsel sind, misst keine Skala.</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>This is a fault of Sudoku Lens, not of your photo. You can go on working.</source>
        <translation>Das ist ein Fehler von Sudoku Lens, nicht Ihres Fotos. Sie können weiterarbeiten.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Set the digit of the chosen cell</source>
        <translation>Die Ziffer des gewählten Felds setzen</translation>
    </message>
    <message>
        <source>Empty the chosen cell</source>
        <translation>Das gewählte Feld leeren</translation>
    </message>
    <message>
        <source>Write a corner mark</source>
        <translation>Eine Eckmarke schreiben</translation>
    </message>
    <message>
        <source>Write a centre mark</source>
        <translation>Eine Mittelmarke schreiben</translation>
    </message>
    <message>
        <source>Colour the chosen cells</source>
        <translation>Die gewählten Zellen färben</translation>
    </message>
    <message>
        <source>Write digits, corner marks, centre marks or colours</source>
        <translation>Ziffern, Eckmarken, Mittelmarken oder Farben schreiben</translation>
    </message>
    <message>
        <source>Choose more cells</source>
        <translation>Weitere Zellen wählen</translation>
    </message>
    <message>
        <source>Choose all cells</source>
        <translation>Alle Zellen wählen</translation>
    </message>
    <message>
        <source>Cells and digits</source>
        <translation>Felder und Ziffern</translation>
    </message>
    <message>
        <source>Choose another cell, or move a corner</source>
        <translation>Ein anderes Feld wählen oder eine Ecke bewegen</translation>
    </message>
    <message>
        <source>Leave the cell or the corners</source>
        <translation>Das Feld oder die Ecken verlassen</translation>
    </message>
    <message>
        <source>Show the solution of the chosen cell</source>
        <translation>Die Lösung des gewählten Feldes zeigen</translation>
    </message>
    <message>
        <source>Point at a digit for the chosen cell</source>
        <translation>Für das gewählte Feld auf eine Ziffer zeigen</translation>
    </message>
</context>
<context>
    <name>PauseScreen</name>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>PhoneDialog</name>
    <message>
        <source>Use my phone</source>
        <translation>Mein Telefon benutzen</translation>
    </message>
    <message>
        <source>Scan this code with the phone</source>
        <translation>Diesen Code mit dem Telefon scannen</translation>
    </message>
    <message>
        <source>The phone must be in the same Wi-Fi as this computer. Hold its camera before the code and open the page. The photos that it takes appear here, too.</source>
        <translation>Das Telefon muss im selben WLAN sein wie dieser Rechner. Halten Sie seine Kamera vor den Code und öffnen Sie die Seite. Die Fotos, die es aufnimmt, erscheinen auch hier.</translation>
    </message>
    <message>
        <source>The page is being prepared …</source>
        <translation>Die Seite wird vorbereitet …</translation>
    </message>
    <message>
        <source>Code with the address of the page</source>
        <translation>Code mit der Adresse der Seite</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>With the secret that opens the page: give it to nobody you do not trust</source>
        <translation>Mit dem Geheimnis, das die Seite öffnet: Geben Sie sie niemandem, dem Sie nicht vertrauen</translation>
    </message>
    <message>
        <source>With the live camera on the phone (encrypted)</source>
        <translation>Mit der Live-Kamera am Telefon (verschlüsselt)</translation>
    </message>
    <message>
        <source>Without a warning: phones install a certificate once</source>
        <translation>Ohne Warnung: Telefone installieren einmal ein Zertifikat</translation>
    </message>
    <message>
        <source>This computer makes an authority of its own, which vouches for pages of the local network alone. Phones that install it trust whoever has its key, which stays here.</source>
        <translation>Dieser Rechner richtet eine eigene Zertifizierungsstelle ein, die nur für Seiten im lokalen Netz bürgt. Telefone, die sie installieren, vertrauen jedem, der ihren Schlüssel hat; er bleibt hier.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The page stays open until you stop it or close the window.</source>
        <translation>Die Seite bleibt offen, bis Sie sie beenden oder das Fenster schließen.</translation>
    </message>
    <message>
        <source>The page is closed: no phone can open it.</source>
        <translation>Die Seite ist geschlossen: Kein Telefon kann sie öffnen.</translation>
    </message>
    <message>
        <source>The phone warns of a certificate that it does not know. Go on there if it is this one (SHA-256):</source>
        <translation>Das Telefon warnt vor einem Zertifikat, das es nicht kennt. Fahren Sie dort fort, wenn es dieses ist (SHA-256):</translation>
    </message>
    <message>
        <source>On a phone that warns, install the certificate from {} once. Compare what the phone shows with this (SHA-256):</source>
        <translation>Installieren Sie auf einem Telefon, das warnt, einmal das Zertifikat von {}. Vergleichen Sie, was es zeigt, mit diesem (SHA-256):</translation>
    </message>
    <message>
        <source>The page for phones needs packages that are not installed. Install:</source>
        <translation>Die Seite für Telefone braucht Pakete, die nicht installiert sind. Installieren:</translation>
    </message>
    <message>
        <source>The page for phones cannot be opened here.</source>
        <translation>Die Seite für Telefone lässt sich hier nicht öffnen.</translation>
    </message>
    <message>
        <source>This computer is in no network, so no phone can reach it: connect it to the Wi-Fi of the phone, then stop and begin again.</source>
        <translation>Dieser Rechner ist in keinem Netz, deshalb erreicht ihn kein Telefon: Verbinden Sie ihn mit dem WLAN des Telefons, und beginnen Sie dann von vorn.</translation>
    </message>
    <message>
        <source>Waiting for the phone …</source>
        <translation>Warten auf das Telefon …</translation>
    </message>
    <message>
        <source>1 phone</source>
        <translation>1 Telefon</translation>
    </message>
    <message>
        <source>{} phones</source>
        <translation>{} Telefone</translation>
    </message>
    <message>
        <source>{}, no photo yet</source>
        <translation>{}, noch kein Foto</translation>
    </message>
    <message>
        <source>{}, 1 photo</source>
        <translation>{}, 1 Foto</translation>
    </message>
    <message>
        <source>{0}, {1} photos</source>
        <translation>{0}, {1} Fotos</translation>
    </message>
</context>
<context>
    <name>PhoneEntry</name>
    <message>
        <source>Phone {}</source>
        <translation>Telefon {}</translation>
    </message>
</context>
<context>
    <name>PhoneList</name>
    <message>
        <source>Let these phones in again after a restart</source>
        <translation>Diese Telefone nach einem Neustart wieder einlassen</translation>
    </message>
    <message>
        <source>This computer then keeps a list of them, without their secrets</source>
        <translation>Dieser Computer führt dann eine Liste von ihnen, ohne ihre Geheimnisse</translation>
    </message>
    <message>
        <source>Phone of unknown kind</source>
        <translation>Telefon unbekannter Art</translation>
    </message>
    <message>
        <source>{0}, here {1}</source>
        <translation>{0}, hier {1}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>{} entfernen</translation>
    </message>
    <message>
        <source>It comes in no more, and the code gets a new secret</source>
        <translation>Es kommt nicht mehr herein, und der Code bekommt ein neues Geheimnis</translation>
    </message>
</context>
<context>
    <name>PhotoDialog</name>
    <message>
        <source>Open photos</source>
        <translation>Fotos öffnen</translation>
    </message>
    <message>
        <source>Photos</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Rätsel</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
</context>
<context>
    <name>PhotoList</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>In doubt</source>
        <translation>Zweifelhaft</translation>
    </message>
    <message>
        <source>Not solved</source>
        <translation>Nicht gelöst</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>By date</source>
        <translation>Nach Datum</translation>
    </message>
    <message>
        <source>By outcome</source>
        <translation>Nach Ergebnis</translation>
    </message>
    <message>
        <source>Show photos by outcome</source>
        <translation>Fotos nach Ergebnis zeigen</translation>
    </message>
    <message>
        <source>Which photos are listed</source>
        <translation>Welche Fotos in der Liste stehen</translation>
    </message>
    <message>
        <source>Sort the photos</source>
        <translation>Fotos sortieren</translation>
    </message>
    <message>
        <source>How the photos are sorted</source>
        <translation>Wie die Fotos sortiert sind</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0} of {1} photos are shown</source>
        <translation>{0} von {1} Fotos sind zu sehen</translation>
    </message>
    <message>
        <source>{0} of {1} photos are done</source>
        <translation>{0} von {1} Fotos sind fertig</translation>
    </message>
    <message>
        <source>{1} open</source>
        <translation>{1} offen</translation>
    </message>
    <message>
        <source>All {1} photos are shown</source>
        <translation>Alle {1} Fotos sind zu sehen</translation>
    </message>
</context>
<context>
    <name>PhotoView</name>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Time {0}</source>
        <translation>Zeit {0}</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Digit {0}</source>
        <translation>Ziffer {0}</translation>
    </message>
    <message>
        <source>Corner mark {0}</source>
        <translation>Eckmarke {0}</translation>
    </message>
    <message>
        <source>Centre mark {0}</source>
        <translation>Mittelmarke {0}</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>red</source>
        <translation>rot</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>orange</translation>
    </message>
    <message>
        <source>yellow</source>
        <translation>gelb</translation>
    </message>
    <message>
        <source>green</source>
        <translation>grün</translation>
    </message>
    <message>
        <source>turquoise</source>
        <translation>türkis</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>blau</translation>
    </message>
    <message>
        <source>purple</source>
        <translation>violett</translation>
    </message>
    <message>
        <source>pink</source>
        <translation>rosa</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>grau</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>{} %</source>
        <translation>{} %</translation>
    </message>
</context>
<context>
    <name>Printing</name>
    <message>
        <source>Print</source>
        <translation>Drucken</translation>
    </message>
</context>
<context>
    <name>RatingLine</name>
    <message>
        <source>Difficulty</source>
        <translation>Schwierigkeit</translation>
    </message>
    <message>
        <source>Difficulty: …</source>
        <translation>Schwierigkeit: …</translation>
    </message>
    <message>
        <source>Difficulty: {0}</source>
        <translation>Schwierigkeit: {0}</translation>
    </message>
</context>
<context>
    <name>RuleBar</name>
    <message>
        <source>Correct the rules</source>
        <translation>Regeln berichtigen</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>A&amp;rt</translation>
    </message>
    <message>
        <source>S&amp;um</source>
        <translation>S&amp;umme</translation>
    </message>
    <message>
        <source>&amp;New cage</source>
        <translation>&amp;Neuer Käfig</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>F&amp;ertig</translation>
    </message>
    <message>
        <source>&amp;Join them</source>
        <translation>&amp;Zusammenfügen</translation>
    </message>
    <message>
        <source>Drag from a cell of a region over cells that belong to it, then join them.</source>
        <translation>Ziehen Sie von einem Feld eines Gebiets über Felder, die dazugehören, und fügen Sie sie zusammen.</translation>
    </message>
    <message>
        <source>Drag from a cell of a cage over cells that belong to it, then join them. Type the sum of the chosen cage.</source>
        <translation>Ziehen Sie von einem Feld eines Käfigs über Felder, die dazugehören, und fügen Sie sie zusammen. Tippen Sie die Summe des gewählten Käfigs.</translation>
    </message>
    <message>
        <source>Choose the kind that the page says or shows.</source>
        <translation>Wählen Sie die Art, die auf der Seite steht oder zu sehen ist.</translation>
    </message>
</context>
<context>
    <name>ShareMenu</name>
    <message>
        <source>The picture is copied.</source>
        <translation>Das Bild ist kopiert.</translation>
    </message>
    <message>
        <source>The puzzle is copied.</source>
        <translation>Das Rätsel ist kopiert.</translation>
    </message>
    <message>
        <source>The solution is copied.</source>
        <translation>Die Lösung ist kopiert.</translation>
    </message>
    <message>
        <source>The link is copied.</source>
        <translation>Der Link ist kopiert.</translation>
    </message>
    <message>
        <source>Save the solved picture</source>
        <translation>Gelöstes Bild speichern</translation>
    </message>
    <message>
        <source>JPEG (*.jpg *.jpeg)</source>
        <translation>JPEG (*.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>WebP (*.webp)</source>
        <translation>WebP (*.webp)</translation>
    </message>
    <message>
        <source>Save the puzzle</source>
        <translation>Rätsel speichern</translation>
    </message>
    <message>
        <source>Save as PDF</source>
        <translation>Als PDF speichern</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Copy the &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy the p&amp;uzzle (81 characters)</source>
        <translation>&amp;Rätsel kopieren (81 Zeichen)</translation>
    </message>
    <message>
        <source>Copy the &amp;solution (81 characters)</source>
        <translation>&amp;Lösung kopieren (81 Zeichen)</translation>
    </message>
    <message>
        <source>Copy a &amp;link</source>
        <translation>Lin&amp;k kopieren</translation>
    </message>
    <message>
        <source>Sa&amp;ve the solved picture…</source>
        <translation>&amp;Gelöstes Bild speichern …</translation>
    </message>
    <message>
        <source>Save the puzzle &amp;as</source>
        <translation>Rätsel speichern &amp;als</translation>
    </message>
    <message>
        <source>P&amp;rint</source>
        <translation>&amp;Drucken</translation>
    </message>
    <message>
        <source>Save as P&amp;DF</source>
        <translation>Als &amp;PDF speichern</translation>
    </message>
    <message>
        <source>The &amp;puzzle…</source>
        <translation>Das &amp;Rätsel …</translation>
    </message>
    <message>
        <source>The puzzle, with a &amp;small solution below…</source>
        <translation>Das Rätsel, mit einer &amp;kleinen Lösung darunter …</translation>
    </message>
    <message>
        <source>The s&amp;olution…</source>
        <translation>Die &amp;Lösung …</translation>
    </message>
    <message>
        <source>The solved p&amp;hoto…</source>
        <translation>Das gelöste &amp;Foto …</translation>
    </message>
    <message>
        <source>Copy the p&amp;uzzle</source>
        <translation>&amp;Rätsel kopieren</translation>
    </message>
    <message>
        <source>Copy the &amp;solution</source>
        <translation>&amp;Lösung kopieren</translation>
    </message>
    <message>
        <source>Line of text</source>
        <translation>Textzeile</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <source>SadMan Sudoku</source>
        <translation>SadMan Sudoku</translation>
    </message>
    <message>
        <source>Simple Sudoku</source>
        <translation>Simple Sudoku</translation>
    </message>
    <message>
        <source>OpenSudoku</source>
        <translation>OpenSudoku</translation>
    </message>
    <message>
        <source>f-puzzles</source>
        <translation>f-puzzles</translation>
    </message>
    <message>
        <source>SudokuWiki</source>
        <translation>SudokuWiki</translation>
    </message>
    <message>
        <source>{0} is there already. Replace it?</source>
        <translation>{0} gibt es schon. Soll die Datei ersetzt werden?</translation>
    </message>
    <message>
        <source>Saved as {0}.</source>
        <translation>Gespeichert als {0}.</translation>
    </message>
    <message>
        <source>{0} was not saved: {1}. Choose another name or place.</source>
        <translation>{0} wurde nicht gespeichert: {1}. Wählen Sie einen anderen Namen oder Ort.</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>StatusText</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>This picture cannot be shown</source>
        <translation>Dieses Bild kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Something went wrong with this photo</source>
        <translation>Mit diesem Foto ging etwas schief</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>The file is cut short, and its last part is missing: copy it again.</source>
        <translation>Die Datei ist abgeschnitten, ihr letzter Teil fehlt: Kopieren Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>Only the first of {count} pages is shown: save the others as files of their own.</source>
        <translation>Nur die erste von {count} Seiten wird gezeigt: Speichern Sie die anderen als eigene Dateien.</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Find the board</source>
        <translation>Gitter suchen</translation>
    </message>
    <message>
        <source>No board was found</source>
        <translation>Kein Gitter gefunden</translation>
    </message>
    <message>
        <source>Take the photo from above, near, with the whole border on it.</source>
        <translation>Fotografieren Sie von oben und aus der Nähe, mit dem ganzen Rand.</translation>
    </message>
    <message>
        <source>Place the board</source>
        <translation>Gitter platzieren</translation>
    </message>
    <message>
        <source>Solving…</source>
        <translation>Wird gelöst …</translation>
    </message>
    <message>
        <source>An empty board</source>
        <translation>Ein leeres Gitter</translation>
    </message>
    <message>
        <source>Choose a cell and type its digit.</source>
        <translation>Wählen Sie ein Feld und tippen Sie seine Ziffer.</translation>
    </message>
    <message>
        <source>More than one solution so far</source>
        <translation>Bisher mehr als eine Lösung</translation>
    </message>
    <message>
        <source>The region at row {row}, column {column} has {count} cells instead of {side}.</source>
        <translation>Das Gebiet bei Zeile {row}, Spalte {column} hat {count} Felder statt {side}.</translation>
    </message>
    <message>
        <source>The region at row {row}, column {column} falls into pieces.</source>
        <translation>Das Gebiet bei Zeile {row}, Spalte {column} zerfällt in Teile.</translation>
    </message>
    <message>
        <source>The cage at row {row}, column {column} has more cells than there are digits.</source>
        <translation>Der Käfig bei Zeile {row}, Spalte {column} hat mehr Felder, als es Ziffern gibt.</translation>
    </message>
    <message>
        <source>The cage at row {row}, column {column} has no sum yet: choose it and type the sum.</source>
        <translation>Der Käfig bei Zeile {row}, Spalte {column} hat noch keine Summe: Wählen Sie ihn und tippen Sie sie.</translation>
    </message>
    <message>
        <source>The sum of the cage at row {row}, column {column} must be {least} to {most}.</source>
        <translation>Die Summe des Käfigs bei Zeile {row}, Spalte {column} muss {least} bis {most} sein.</translation>
    </message>
    <message>
        <source>The cages do not fit yet</source>
        <translation>Die Käfige passen noch nicht</translation>
    </message>
    <message>
        <source>The regions do not fit yet</source>
        <translation>Die Gebiete passen noch nicht</translation>
    </message>
    <message>
        <source>{name} is empty: copy or take the photo again.</source>
        <translation>{name} ist leer: Kopieren Sie das Foto noch einmal, oder nehmen Sie es neu auf.</translation>
    </message>
    <message>
        <source>{name} is too large: make it smaller, or crop it to the board.</source>
        <translation>{name} ist zu groß: Verkleinern Sie das Bild, oder schneiden Sie es auf das Gitter zu.</translation>
    </message>
    <message>
        <source>{name} is too small: take the photo nearer, or with more pixels.</source>
        <translation>{name} ist zu klein: Fotografieren Sie aus größerer Nähe oder mit mehr Pixeln.</translation>
    </message>
    <message>
        <source>{name} is damaged, or of a kind that cannot be read here: export it again.</source>
        <translation>{name} ist beschädigt oder von einer Art, die hier nicht gelesen werden kann: Exportieren Sie das Bild neu.</translation>
    </message>
    <message>
        <source>{name} does not exist any more.</source>
        <translation>{name} gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>{name} may not be read: change its permissions.</source>
        <translation>{name} darf nicht gelesen werden: Ändern Sie die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>Solved: every digit is right</source>
        <translation>Gelöst: Jede Ziffer stimmt</translation>
    </message>
    <message>
        <source>Every cell is filled, but not every digit is right</source>
        <translation>Jedes Feld ist gefüllt, aber nicht jede Ziffer stimmt</translation>
    </message>
    <message>
        <source>Check your entries among the hints.</source>
        <translation>Bei den Tipps lassen sich die Einträge prüfen.</translation>
    </message>
    <message>
        <source>A puzzle with exactly one solution</source>
        <translation>Ein Rätsel mit genau einer Lösung</translation>
    </message>
    <message>
        <source>Type your digits. Hints help as much as you like.</source>
        <translation>Ziffern eintippen. Tipps helfen so viel wie gewünscht.</translation>
    </message>
    <message>
        <source>It took {0}.</source>
        <translation>Das dauerte {0}.</translation>
    </message>
    <message>
        <source>Exactly one solution</source>
        <translation>Genau eine Lösung</translation>
    </message>
    <message>
        <source>Press S to see the whole solution.</source>
        <translation>S zeigt die ganze Lösung.</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>exactly one solution</source>
        <translation>genau eine Lösung</translation>
    </message>
    <message>
        <source>One entry differs from the solution: see the cross.</source>
        <translation>Ein Eintrag weicht von der Lösung ab: siehe das Kreuz.</translation>
    </message>
    <message numerus="yes">
        <source>%n entries differ from the solution: see the crosses.</source>
        <translation>
            <numerusform>%n Eintrag weicht von der Lösung ab: siehe das Kreuz.</numerusform>
            <numerusform>%n Einträge weichen von der Lösung ab: siehe die Kreuze.</numerusform>
        </translation>
    </message>
    <message>
        <source>One digit is not read for sure: compare the tinted cell.</source>
        <translation>Eine Ziffer ist nicht sicher gelesen: Vergleichen Sie das getönte Feld.</translation>
    </message>
    <message numerus="yes">
        <source>%n digits are not read for sure: compare the tinted cells.</source>
        <translation>
            <numerusform>%n Ziffer ist nicht sicher gelesen: Vergleichen Sie das getönte Feld.</numerusform>
            <numerusform>%n Ziffern sind nicht sicher gelesen: Vergleichen Sie die getönten Felder.</numerusform>
        </translation>
    </message>
    <message>
        <source>The rules corrected one digit: see the tinted cell.</source>
        <translation>Die Regeln haben eine Ziffer berichtigt: siehe das getönte Feld.</translation>
    </message>
    <message numerus="yes">
        <source>The rules corrected %n digits: see the tinted cells.</source>
        <translation>
            <numerusform>Die Regeln haben %n Ziffer berichtigt: siehe das getönte Feld.</numerusform>
            <numerusform>Die Regeln haben %n Ziffern berichtigt: siehe die getönten Felder.</numerusform>
        </translation>
    </message>
    <message>
        <source>More than one solution</source>
        <translation>Mehr als eine Lösung</translation>
    </message>
    <message>
        <source>Perhaps a digit was missed: compare with the photo.</source>
        <translation>Vielleicht wurde eine Ziffer übersehen: Vergleichen Sie mit dem Foto.</translation>
    </message>
    <message>
        <source>Type the other digits.</source>
        <translation>Tippen Sie die übrigen Ziffern.</translation>
    </message>
    <message>
        <source>The search was stopped, because you went on with this board.</source>
        <translation>Die Suche wurde beendet, weil Sie an diesem Gitter weitergearbeitet haben.</translation>
    </message>
    <message>
        <source>{name} is not a picture: choose a JPEG, PNG, HEIC, WebP, TIFF, BMP or GIF file.</source>
        <translation>{name} ist kein Bild: Wählen Sie eine Datei vom Typ JPEG, PNG, HEIC, WebP, TIFF, BMP oder GIF.</translation>
    </message>
    <message>
        <source>No solution: the digits contradict each other</source>
        <translation>Keine Lösung: Die Ziffern widersprechen einander</translation>
    </message>
    <message>
        <source>Perhaps a digit was misread: compare with the photo.</source>
        <translation>Vielleicht wurde eine Ziffer falsch gelesen: Vergleichen Sie mit dem Foto.</translation>
    </message>
    <message>
        <source>Perhaps a digit was mistyped.</source>
        <translation>Vielleicht ist eine Ziffer vertippt.</translation>
    </message>
    <message>
        <source>Not all digits can be read</source>
        <translation>Nicht alle Ziffern sind lesbar</translation>
    </message>
    <message>
        <source>Compare the tinted cells with the photo, and type what stands there.</source>
        <translation>Vergleichen Sie die getönten Felder mit dem Foto und tippen Sie, was dort steht.</translation>
    </message>
    <message>
        <source>The solver gave up</source>
        <translation>Die Suche nach der Lösung wurde aufgegeben</translation>
    </message>
    <message>
        <source>A digit stands twice in a row, column or box: see the red cells.</source>
        <translation>Eine Ziffer steht doppelt in Zeile, Spalte oder Block: siehe die roten Felder.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Compare the cages and their sums with the photo.</source>
        <translation>Vergleichen Sie die Käfige und ihre Summen mit dem Foto.</translation>
    </message>
    <message>
        <source>Correct the cages</source>
        <translation>Käfige berichtigen</translation>
    </message>
    <message>
        <source>Correct the regions</source>
        <translation>Gebiete berichtigen</translation>
    </message>
    <message>
        <source>Solve with diagonals</source>
        <translation>Mit Diagonalen lösen</translation>
    </message>
    <message>
        <source>Solve with windows</source>
        <translation>Mit Fenstern lösen</translation>
    </message>
    <message>
        <source>Both diagonals count, as you said.</source>
        <translation>Beide Diagonalen zählen mit, wie Sie angegeben haben.</translation>
    </message>
    <message>
        <source>The four windows count, as you said.</source>
        <translation>Die vier Fenster zählen mit, wie Sie angegeben haben.</translation>
    </message>
    <message>
        <source>The regions are as you said.</source>
        <translation>Die Gebiete sind, wie Sie gesagt haben.</translation>
    </message>
    <message>
        <source>The cages are as you said.</source>
        <translation>Die Käfige sind, wie Sie gesagt haben.</translation>
    </message>
    <message>
        <source>Opening the photo…</source>
        <translation>Das Foto wird geöffnet …</translation>
    </message>
    <message>
        <source>Finding the board…</source>
        <translation>Das Gitter wird gesucht …</translation>
    </message>
    <message>
        <source>Reading the digits…</source>
        <translation>Die Ziffern werden gelesen …</translation>
    </message>
    <message>
        <source>Checking the digits…</source>
        <translation>Die Ziffern werden geprüft …</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>Wartet …</translation>
    </message>
</context>
<context>
    <name>StrengthDots</name>
    <message>
        <source>Strength of the hint: {0} of 3</source>
        <translation>Stärke des Tipps: {0} von 3</translation>
    </message>
</context>
<context>
    <name>TechniquePanel</name>
    <message>
        <source>Techniques</source>
        <translation>Techniken</translation>
    </message>
    <message>
        <source>Technique</source>
        <translation>Technik</translation>
    </message>
    <message>
        <source>What the picture shows</source>
        <translation>Was das Bild zeigt</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Practise it</source>
        <translation>Üben</translation>
    </message>
    <message>
        <source>Looking for a puzzle that needs this next. It may take a while.</source>
        <translation>Gesucht wird ein Rätsel, das dies als Nächstes braucht. Das kann etwas dauern.</translation>
    </message>
    <message>
        <source>Practice: {} (easier steps come first)</source>
        <translation>Übung: {} (leichtere Schritte kommen zuerst)</translation>
    </message>
    <message>
        <source>Practice: {}</source>
        <translation>Übung: {}</translation>
    </message>
</context>
<context>
    <name>WalkPanel</name>
    <message>
        <source>Solution step by step</source>
        <translation>Lösung Schritt für Schritt</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>Dieser Schritt</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>List of steps</source>
        <translation>Liste der Schritte</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>One step back (left arrow)</source>
        <translation>Einen Schritt zurück (Pfeil links)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>One step on (right arrow)</source>
        <translation>Einen Schritt weiter (Pfeil rechts)</translation>
    </message>
    <message>
        <source>Play the steps one after the other (K)</source>
        <translation>Die Schritte nacheinander abspielen (K)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Open a photo or a puzzle to see it solved step by step.</source>
        <translation>Öffnen Sie ein Foto oder ein Rätsel, um es Schritt für Schritt gelöst zu sehen.</translation>
    </message>
    <message>
        <source>No solution of this puzzle has been verified, so there are no steps.</source>
        <translation>Für dieses Rätsel ist keine Lösung nachgewiesen, also gibt es keine Schritte.</translation>
    </message>
    <message>
        <source>Looking for the steps …</source>
        <translation>Die Schritte werden gesucht …</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Drop a photo of a Sudoku here</source>
        <translation>Ziehen Sie das Foto eines Sudokus hierher</translation>
    </message>
    <message>
        <source>Photos stay on this computer.</source>
        <translation>Fotos bleiben auf diesem Rechner.</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Sudoku Lens</source>
        <translation>Sudoku Lens</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{} – Sudoku Lens</source>
        <translation>{} – Sudoku Lens</translation>
    </message>
    <message>
        <source>Photos cannot be read here</source>
        <translation>Fotos lassen sich hier nicht lesen</translation>
    </message>
    <message>
        <source>Nothing can be kept here, because {} cannot be written to. Photos are solved all the same. To keep puzzles and settings, make room there or change its permissions.</source>
        <translation>Hier kann nichts aufbewahrt werden, denn in {} lässt sich nicht schreiben. Fotos werden trotzdem gelöst. Um Rätsel und Einstellungen zu behalten, schaffen Sie dort Platz oder ändern Sie die Rechte.</translation>
    </message>
</context>
</TS>
