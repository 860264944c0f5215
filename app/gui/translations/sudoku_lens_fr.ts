<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Sudoku Lens</source>
        <translation>À propos de Sudoku Lens</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Détails techniques</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Sudoku Lens {}</source>
        <translation>Sudoku Lens {}</translation>
    </message>
    <message>
        <source>Finds the Sudokus on a photo, reads them, and shows a solution only where it is proved to be the only one.</source>
        <translation>Trouve les sudokus d’une photo, les lit, et ne montre une solution que s’il est prouvé que c’est la seule.</translation>
    </message>
    <message>
        <source>Photos stay on this computer: nothing is sent anywhere, and no account is needed.</source>
        <translation>Les photos restent sur cet ordinateur : rien n’est envoyé, et aucun compte n’est nécessaire.</translation>
    </message>
    <message>
        <source>It is free, and its source code is open.</source>
        <translation>Le programme est libre, et son code source est ouvert.</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Réseaux</translation>
    </message>
    <message>
        <source>Licence: {}</source>
        <translation>Licence : {}</translation>
    </message>
    <message>
        <source>The digit network was trained also on Street View House Numbers, which are for non-commercial purposes only.</source>
        <translation>Le réseau des chiffres a été entraîné aussi sur Street View House Numbers, réservé à un usage non commercial.</translation>
    </message>
    <message>
        <source>Digits are drawn in Nunito (SIL Open Font Licence).</source>
        <translation>Les chiffres sont dessinés en Nunito (SIL Open Font Licence).</translation>
    </message>
    <message>
        <source>reads digits</source>
        <translation>lit les chiffres</translation>
    </message>
    <message>
        <source>finds boards</source>
        <translation>trouve les grilles</translation>
    </message>
    <message>
        <source>reads the digits of a board side by side</source>
        <translation>lit les chiffres d’une grille en les comparant</translation>
    </message>
    <message>
        <source>reads handwriting once more</source>
        <translation>relit l’écriture manuscrite</translation>
    </message>
    <message>
        <source>reads pencil marks</source>
        <translation>lit les notes</translation>
    </message>
    <message>
        <source>reads boards of more than nine digits</source>
        <translation>lit les grilles de plus de neuf chiffres</translation>
    </message>
    <message>
        <source>reads Arabic, Persian and Devanagari digits</source>
        <translation>lit les chiffres arabes, persans et devanagari</translation>
    </message>
    <message>
        <source>reads the cages and sums of killers</source>
        <translation>lit les cages et les sommes des killers</translation>
    </message>
    <message>
        <source>tells other puzzles from Sudokus</source>
        <translation>distingue les autres jeux des sudokus</translation>
    </message>
    <message>
        <source>says which digit is likely where</source>
        <translation>dit quel chiffre est probable et où</translation>
    </message>
    <message>
        <source>is the rules themselves, never trained</source>
        <translation>est fait des règles mêmes, jamais entraîné</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Ouvrir…</translation>
    </message>
    <message>
        <source>Open photos</source>
        <translation>Ouvrir des photos</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>Co&amp;ller</translation>
    </message>
    <message>
        <source>Paste a photo or its file</source>
        <translation>Coller une photo ou son fichier</translation>
    </message>
    <message>
        <source>Sample &amp;page</source>
        <translation>&amp;Page d’exemple</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>&amp;Direct</translation>
    </message>
    <message>
        <source>Camera, video or address</source>
        <translation>Caméra, vidéo ou adresse</translation>
    </message>
    <message>
        <source>&amp;Use my phone…</source>
        <translation>&amp;Utiliser mon téléphone…</translation>
    </message>
    <message>
        <source>Take photos with a phone near by</source>
        <translation>Photographier avec un téléphone proche</translation>
    </message>
    <message>
        <source>&amp;Type a puzzle</source>
        <translation>&amp;Saisir une grille</translation>
    </message>
    <message>
        <source>&amp;New puzzle…</source>
        <translation>&amp;Nouvelle grille…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>&amp;Remove from the list</source>
        <translation>&amp;Retirer de la liste</translation>
    </message>
    <message>
        <source>Show in its &amp;folder</source>
        <translation>Montrer dans son &amp;dossier</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rétablir</translation>
    </message>
    <message>
        <source>Copy the solved &amp;picture</source>
        <translation>Copier l’&amp;image résolue</translation>
    </message>
    <message>
        <source>Copy the &amp;digits</source>
        <translation>Copier les &amp;chiffres</translation>
    </message>
    <message>
        <source>Copy the s&amp;olution</source>
        <translation>Copier la s&amp;olution</translation>
    </message>
    <message>
        <source>&amp;Save the solved picture…</source>
        <translation>&amp;Enregistrer l’image résolue…</translation>
    </message>
    <message>
        <source>Pr&amp;int the puzzle…</source>
        <translation>&amp;Imprimer la grille…</translation>
    </message>
    <message>
        <source>&amp;Solution</source>
        <translation>&amp;Solution</translation>
    </message>
    <message>
        <source>Show the solution</source>
        <translation>Montrer la solution</translation>
    </message>
    <message>
        <source>Solution of the &amp;cell</source>
        <translation>Solution de la &amp;case</translation>
    </message>
    <message>
        <source>Printed or &amp;handwritten</source>
        <translation>Imprimé ou &amp;manuscrit</translation>
    </message>
    <message>
        <source>Correct kind, regions and ca&amp;ges</source>
        <translation>Corriger le type, les régions et les ca&amp;ges</translation>
    </message>
    <message>
        <source>Digits as they were &amp;read</source>
        <translation>Chiffres tels que &amp;lus</translation>
    </message>
    <message>
        <source>Place the &amp;board</source>
        <translation>Placer la &amp;grille</translation>
    </message>
    <message>
        <source>Place &amp;another board</source>
        <translation>Placer une &amp;autre grille</translation>
    </message>
    <message>
        <source>&amp;Find the boards again</source>
        <translation>Chercher à nouveau les g&amp;rilles</translation>
    </message>
    <message>
        <source>&amp;Photo</source>
        <translation>&amp;Photo</translation>
    </message>
    <message>
        <source>Photo &amp;and board</source>
        <translation>Photo &amp;et grille</translation>
    </message>
    <message>
        <source>&amp;Clean board</source>
        <translation>&amp;Grille nette</translation>
    </message>
    <message>
        <source>&amp;Whole photo</source>
        <translation>Photo en&amp;tière</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>A&amp;grandir</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>&amp;Réduire</translation>
    </message>
    <message>
        <source>Turn &amp;left</source>
        <translation>Tourner à &amp;gauche</translation>
    </message>
    <message>
        <source>Turn &amp;right</source>
        <translation>Tourner à &amp;droite</translation>
    </message>
    <message>
        <source>Zoom to the &amp;board</source>
        <translation>&amp;Zoomer sur la grille</translation>
    </message>
    <message>
        <source>Original si&amp;ze</source>
        <translation>Taille d’&amp;origine</translation>
    </message>
    <message>
        <source>Ne&amp;xt board</source>
        <translation>Grille &amp;suivante</translation>
    </message>
    <message>
        <source>Previo&amp;us board</source>
        <translation>Grille pré&amp;cédente</translation>
    </message>
    <message>
        <source>Next p&amp;hoto</source>
        <translation>Photo s&amp;uivante</translation>
    </message>
    <message>
        <source>Pre&amp;vious photo</source>
        <translation>Photo pré&amp;cédente</translation>
    </message>
    <message>
        <source>&amp;Hints</source>
        <translation>&amp;Indices</translation>
    </message>
    <message>
        <source>Hints and checks</source>
        <translation>Indices et vérification</translation>
    </message>
    <message>
        <source>&amp;Step by step</source>
        <translation>&amp;Pas à pas</translation>
    </message>
    <message>
        <source>&amp;Techniques</source>
        <translation>&amp;Techniques</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>&amp;Historique</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Jouer</translation>
    </message>
    <message>
        <source>Solve this puzzle yourself</source>
        <translation>Résoudre cette grille soi-même</translation>
    </message>
    <message>
        <source>P&amp;ause</source>
        <translation>P&amp;ause</translation>
    </message>
    <message>
        <source>Mark digits that stand &amp;twice</source>
        <translation>Marquer les chiffres en d&amp;ouble</translation>
    </message>
    <message>
        <source>Write &amp;digits</source>
        <translation>Écrire des c&amp;hiffres</translation>
    </message>
    <message>
        <source>Write co&amp;rner marks</source>
        <translation>Écrire dans les co&amp;ins</translation>
    </message>
    <message>
        <source>Write corner marks, as Shift and a digit do</source>
        <translation>Écrire dans les coins, comme Maj et un chiffre</translation>
    </message>
    <message>
        <source>Write c&amp;entre marks</source>
        <translation>Écrire au c&amp;entre</translation>
    </message>
    <message>
        <source>Write centre marks, as Ctrl and a digit do</source>
        <translation>Écrire au centre, comme Ctrl et un chiffre</translation>
    </message>
    <message>
        <source>&amp;Colour cells</source>
        <translation>&amp;Colorer des cases</translation>
    </message>
    <message>
        <source>Colour cells, as Ctrl, Shift and a digit do</source>
        <translation>Colorer des cases, comme Ctrl, Maj et un chiffre</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>Plein é&amp;cran</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>Préfé&amp;rences…</translation>
    </message>
    <message>
        <source>Less &amp;motion</source>
        <translation>Moins de &amp;mouvement</translation>
    </message>
    <message>
        <source>Show solutions at &amp;once</source>
        <translation>Montrer les solutions aussi&amp;tôt</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Raccourcis clavier</translation>
    </message>
    <message>
        <source>&amp;About Sudoku Lens</source>
        <translation>À &amp;propos de Sudoku Lens</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>left</source>
        <translation>à gauche</translation>
    </message>
    <message>
        <source>right</source>
        <translation>à droite</translation>
    </message>
    <message>
        <source>top</source>
        <translation>en haut</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>en bas</translation>
    </message>
    <message>
        <source>the upper half</source>
        <translation>dans la moitié supérieure</translation>
    </message>
    <message>
        <source>the lower half</source>
        <translation>dans la moitié inférieure</translation>
    </message>
    <message>
        <source>the left half</source>
        <translation>dans la moitié gauche</translation>
    </message>
    <message>
        <source>the right half</source>
        <translation>dans la moitié droite</translation>
    </message>
    <message>
        <source>the upper left</source>
        <translation>en haut à gauche</translation>
    </message>
    <message>
        <source>the upper right</source>
        <translation>en haut à droite</translation>
    </message>
    <message>
        <source>the lower left</source>
        <translation>en bas à gauche</translation>
    </message>
    <message>
        <source>the lower right</source>
        <translation>en bas à droite</translation>
    </message>
    <message>
        <source>parts of the board</source>
        <translation>par endroits</translation>
    </message>
    <message>
        <source>Part of the board is outside of the picture ({where}): take all of it.</source>
        <translation>Une partie de la grille est hors de l’image ({where})&#xa0;: photographiez-la en entier.</translation>
    </message>
    <message>
        <source>The cells are only {pixels} pixels high: take the photo nearer.</source>
        <translation>Les cases n’ont que {pixels} pixels de haut&#xa0;: photographiez de plus près.</translation>
    </message>
    <message>
        <source>The board is blurred: hold the camera still, and let it focus.</source>
        <translation>La grille est floue&#xa0;: tenez l’appareil immobile et laissez-le faire la mise au point.</translation>
    </message>
    <message>
        <source>Ink and paper hardly differ: take the photo in better light.</source>
        <translation>L’encre et le papier se distinguent à peine&#xa0;: photographiez avec une meilleure lumière.</translation>
    </message>
    <message>
        <source>The board is dark: take the photo in more light.</source>
        <translation>La grille est sombre&#xa0;: photographiez avec plus de lumière.</translation>
    </message>
    <message>
        <source>The light falls off over {where}: take the photo in even light.</source>
        <translation>La lumière faiblit {where}&#xa0;: photographiez sous une lumière égale.</translation>
    </message>
    <message>
        <source>Some digits are by hand, and are not told from the printed ones for sure.</source>
        <translation>Certains chiffres sont manuscrits et ne se distinguent pas sûrement des imprimés.</translation>
    </message>
    <message>
        <source>{count} cells are not read for sure.</source>
        <translation>{count} cases ne sont pas lues avec certitude.</translation>
    </message>
    <message>
        <source>Compare the sums of the cages at {cells}.</source>
        <translation>Comparez les sommes des cages en {cells}.</translation>
    </message>
    <message>
        <source>There are several solutions: a digit may be hidden or missing in {cells}.</source>
        <translation>Il y a plusieurs solutions : un chiffre est peut-être caché ou absent, dans {cells}.</translation>
    </message>
    <message>
        <source>With both diagonals it has exactly one solution.</source>
        <translation>Avec les deux diagonales, il y a exactement une solution.</translation>
    </message>
    <message>
        <source>With four windows it has exactly one solution.</source>
        <translation>Avec quatre fenêtres, il y a exactement une solution.</translation>
    </message>
    <message>
        <source>This seems to be a KenKen, not a Sudoku</source>
        <translation>On dirait un KenKen, pas un Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a nonogram, not a Sudoku</source>
        <translation>On dirait un nonogramme, pas un Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a kakuro, not a Sudoku</source>
        <translation>On dirait un kakuro, pas un Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a Suguru, not a Sudoku</source>
        <translation>On dirait un Suguru, pas un Sudoku</translation>
    </message>
    <message>
        <source>This seems to be a crossword, not a Sudoku</source>
        <translation>On dirait des mots croisés, pas un Sudoku</translation>
    </message>
    <message>
        <source>If there is a Sudoku, take the photo nearer, with its whole border on it.</source>
        <translation>S’il y a un Sudoku, photographiez-le de plus près, avec tout le bord.</translation>
    </message>
    <message>
        <source>row {row}, column {column}</source>
        <translation>ligne {row}, colonne {column}</translation>
    </message>
    <message>
        <source>There are several solutions: a digit may be hidden or missing, perhaps in {cells}.</source>
        <translation>Il y a plusieurs solutions : un chiffre est peut-être caché ou absent, par exemple dans {cells}.</translation>
    </message>
    <message>
        <source>1 cell is not read for sure: {cells}.</source>
        <translation>1 case n’est pas lue avec certitude&#xa0;: {cells}.</translation>
    </message>
    <message>
        <source>{count} cells are not read for sure: {cells}.</source>
        <translation>{count} cases ne sont pas lues avec certitude&#xa0;: {cells}.</translation>
    </message>
    <message>
        <source>r{row}c{column}</source>
        <translation>L{row}C{column}</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>vide</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} et {last}</translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation>{first} ou {last}</translation>
    </message>
</context>
<context>
    <name>BoardAccess</name>
    <message>
        <source>row {0}, column {1}</source>
        <translation>ligne {0}, colonne {1}</translation>
    </message>
    <message>
        <source>no cell</source>
        <translation>pas de case</translation>
    </message>
    <message>
        <source>clue</source>
        <translation>donné</translation>
    </message>
    <message>
        <source>{0}, solution; the entry {1} is wrong</source>
        <translation>{0}, solution&#xa0;; le chiffre écrit {1} est faux</translation>
    </message>
    <message>
        <source>entry</source>
        <translation>inscrit</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>solution</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>vide</translation>
    </message>
    <message>
        <source>not read for sure</source>
        <translation>lecture incertaine</translation>
    </message>
    <message>
        <source>corrected by the rules</source>
        <translation>corrigé selon les règles</translation>
    </message>
    <message>
        <source>stands twice</source>
        <translation>en double</translation>
    </message>
    <message>
        <source>cage with the sum {0}</source>
        <translation>cage de somme {0}</translation>
    </message>
    <message>
        <source>corner marks {0}</source>
        <translation>marques de coin {0}</translation>
    </message>
    <message>
        <source>centre marks {0}</source>
        <translation>marques de centre {0}</translation>
    </message>
</context>
<context>
    <name>BoardSwitch</name>
    <message>
        <source>{0} boards</source>
        <translation>{0} grilles</translation>
    </message>
    <message>
        <source>Board {0} of {1}</source>
        <translation>Grille {0} sur {1}</translation>
    </message>
</context>
<context>
    <name>CentralView</name>
    <message>
        <source>Getting ready…</source>
        <translation>Préparation…</translation>
    </message>
</context>
<context>
    <name>CleanBoard</name>
    <message>
        <source>Clean board</source>
        <translation>Grille nette</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Close “{}”?</source>
        <translation>Fermer «&#xa0;{}&#xa0;»&#xa0;?</translation>
    </message>
    <message>
        <source>Close it</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Keep it open</source>
        <translation>Laisser ouvert</translation>
    </message>
    <message>
        <source>Quit all the same?</source>
        <translation>Quitter quand même&#xa0;?</translation>
    </message>
    <message>
        <source>What is open cannot be kept for the next start: {}. Save what you need first.</source>
        <translation>Ce qui est ouvert ne peut pas être conservé pour le prochain démarrage&#xa0;: {}. Enregistrez d’abord ce dont vous avez besoin.</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Do not quit</source>
        <translation>Ne pas quitter</translation>
    </message>
    <message>
        <source>The picture is in no file, and would be lost.</source>
        <translation>L’image n’est dans aucun fichier et serait perdue.</translation>
    </message>
    <message>
        <source>What you typed there is not in the history yet, and would be lost.</source>
        <translation>Ce que vous y avez saisi n’est pas encore dans l’historique et serait perdu.</translation>
    </message>
    <message>
        <source>“{}” is off the list. Its file stays.</source>
        <translation>« {} » n’est plus dans la liste. Le fichier reste.</translation>
    </message>
    <message>
        <source>“{}” is off the list.</source>
        <translation>« {} » n’est plus dans la liste.</translation>
    </message>
    <message>
        <source>The photo lies in {}.</source>
        <translation>La photo se trouve dans {}.</translation>
    </message>
    <message>
        <source>The solution is copied.</source>
        <translation>La solution est copiée.</translation>
    </message>
    <message>
        <source>Typed puzzle</source>
        <translation>Grille saisie</translation>
    </message>
    <message>
        <source>New puzzle</source>
        <translation>Nouvelle grille</translation>
    </message>
</context>
<context>
    <name>ContextMenus</name>
    <message>
        <source>&amp;Look at it</source>
        <translation>&amp;Regarder</translation>
    </message>
</context>
<context>
    <name>CornerHandles</name>
    <message>
        <source>Corner {}: drag it, or move it by the arrow keys</source>
        <translation>Coin {}&#xa0;: tirez-le, ou déplacez-le avec les flèches</translation>
    </message>
</context>
<context>
    <name>CornerPlacement</name>
    <message>
        <source>Drag the four corners onto the corners of the board</source>
        <translation>Tirez les quatre coins sur les coins de la grille</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Terminé</translation>
    </message>
</context>
<context>
    <name>DigitPad</name>
    <message>
        <source>Digit {}</source>
        <translation>Chiffre {}</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Vide</translation>
    </message>
    <message>
        <source>The cell is empty</source>
        <translation>La case est vide</translation>
    </message>
    <message>
        <source>Show solution</source>
        <translation>Montrer la solution</translation>
    </message>
    <message>
        <source>Show the solution here</source>
        <translation>Montrer la solution ici</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>Chiffres</translation>
    </message>
    <message>
        <source>Is handwritten</source>
        <translation>Est manuscrit</translation>
    </message>
    <message>
        <source>Is printed</source>
        <translation>Est imprimé</translation>
    </message>
</context>
<context>
    <name>DoubtBar</name>
    <message>
        <source>Doubtful cells</source>
        <translation>Cases douteuses</translation>
    </message>
    <message>
        <source>Previous doubtful cell</source>
        <translation>Case douteuse précédente</translation>
    </message>
    <message>
        <source>Next doubtful cell</source>
        <translation>Case douteuse suivante</translation>
    </message>
    <message>
        <source>Row {0}, column {1}</source>
        <translation>Ligne {0}, colonne {1}</translation>
    </message>
    <message>
        <source>{0}: {1}?</source>
        <translation>{0}&#xa0;: {1}&#xa0;?</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} sur {1}</translation>
    </message>
    <message>
        <source>Digit {}</source>
        <translation>Chiffre {}</translation>
    </message>
    <message>
        <source>The cell is empty</source>
        <translation>La case est vide</translation>
    </message>
</context>
<context>
    <name>DropHint</name>
    <message>
        <source>Drop to open</source>
        <translation>Relâcher pour ouvrir</translation>
    </message>
</context>
<context>
    <name>Feed</name>
    <message>
        <source>It broke off; try again, or choose another.</source>
        <translation>La source s’est interrompue&#xa0;; réessayez, ou choisissez-en une autre.</translation>
    </message>
</context>
<context>
    <name>FileOpener</name>
    <message>
        <source>Sample page</source>
        <translation>Page d’exemple</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Image collée</translation>
    </message>
    <message>
        <source>There is no photo and no puzzle in the clipboard</source>
        <translation>Le presse-papiers ne contient ni photo ni grille</translation>
    </message>
    <message>
        <source>Pasted puzzle</source>
        <translation>Grille collée</translation>
    </message>
    <message>
        <source>This link cannot be opened</source>
        <translation>Ce lien ne peut pas être ouvert</translation>
    </message>
    <message>
        <source>This text cannot be opened</source>
        <translation>Ce texte ne peut pas être ouvert</translation>
    </message>
    <message>
        <source>{} cells were found; a puzzle of 9×9 has 81</source>
        <translation>{} cases ont été trouvées ; une grille 9×9 en a 81</translation>
    </message>
    <message>
        <source>Write every cell, row by row, with a dot for an empty one.</source>
        <translation>Écrivez chaque case, ligne par ligne, avec un point pour une case vide.</translation>
    </message>
    <message>
        <source>{} holds more puzzles; the first {} are open.</source>
        <translation>{} contient d’autres grilles ; les {} premières sont ouvertes.</translation>
    </message>
    <message>
        <source>There is no puzzle in {}. Open a photo, or another file of puzzles.</source>
        <translation>Il n’y a pas de grille dans {}. Ouvrez une photo, ou un autre fichier de grilles.</translation>
    </message>
    <message>
        <source>There is no photo in {}. Open another folder, or choose photos.</source>
        <translation>Il n’y a pas de photo dans {}. Ouvrez un autre dossier ou choisissez des photos.</translation>
    </message>
    <message>
        <source>&amp;Forget these</source>
        <translation>Les &amp;oublier</translation>
    </message>
</context>
<context>
    <name>FilmStrip</name>
    <message>
        <source>Open photos</source>
        <translation>Photos ouvertes</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>r{row}c{column}</source>
        <translation>L{row}C{column}</translation>
    </message>
    <message>
        <source>row {row}, column {column}</source>
        <translation>ligne {row}, colonne {column}</translation>
    </message>
    <message>
        <source>row {row}, columns {column}</source>
        <translation>ligne {row}, colonnes {column}</translation>
    </message>
    <message>
        <source>column {column}, rows {rows}</source>
        <translation>colonne {column}, lignes {rows}</translation>
    </message>
    <message>
        <source>row {number}</source>
        <translation>la ligne {number}</translation>
    </message>
    <message>
        <source>column {number}</source>
        <translation>la colonne {number}</translation>
    </message>
    <message>
        <source>box {number}</source>
        <translation>le bloc {number}</translation>
    </message>
    <message>
        <source>the region at {cell}</source>
        <translation>la région en {cell}</translation>
    </message>
    <message>
        <source>the falling diagonal</source>
        <translation>la diagonale descendante</translation>
    </message>
    <message>
        <source>the rising diagonal</source>
        <translation>la diagonale montante</translation>
    </message>
    <message>
        <source>window {number}</source>
        <translation>la fenêtre {number}</translation>
    </message>
    <message>
        <source>the cage {number} at {cell}</source>
        <translation>la cage {number} en {cell}</translation>
    </message>
    <message>
        <source>{unit} of grid {grid}</source>
        <translation>{unit} de la grille {grid}</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} et {last}</translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation>{first} ou {last}</translation>
    </message>
    <message>
        <source>{digits} from {cells}</source>
        <translation>{digits} de {cells}</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>facile</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>moyen</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>difficile</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>expert</translation>
    </message>
    <message>
        <source>extreme</source>
        <translation>extrême</translation>
    </message>
    <message>
        <source>classic</source>
        <translation>classique</translation>
    </message>
    <message>
        <source>jigsaw</source>
        <translation>jigsaw</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>diagonal</translation>
    </message>
    <message>
        <source>windoku</source>
        <translation>windoku</translation>
    </message>
    <message>
        <source>killer</source>
        <translation>killer</translation>
    </message>
    <message>
        <source>samurai</source>
        <translation>samouraï</translation>
    </message>
    <message>
        <source>Look at {units}.</source>
        <translation>Où regarder&#xa0;: {units}.</translation>
    </message>
    <message>
        <source>Look across the whole board.</source>
        <translation>L’étape s’étend sur toute la grille.</translation>
    </message>
    <message>
        <source>Technique: {technique}, in {cells}.</source>
        <translation>Technique&#xa0;: {technique}, en {cells}.</translation>
    </message>
    <message>
        <source>Look at {units}. Technique: {technique}, in {cells}.</source>
        <translation>Où regarder&#xa0;: {units}. Technique&#xa0;: {technique}, en {cells}.</translation>
    </message>
    <message>
        <source>Strike {removals}.</source>
        <translation>À rayer&#xa0;: {removals}.</translation>
    </message>
    <message>
        <source>There is no hint: no solution of this puzzle has been verified. Check its digits first.</source>
        <translation>Pas d’indice&#xa0;: aucune solution de cette grille n’a été vérifiée. Contrôlez d’abord ses chiffres.</translation>
    </message>
    <message>
        <source>{digit} stands twice in {units}.</source>
        <translation>En double dans {units}&#xa0;: {digit}.</translation>
    </message>
    <message>
        <source>Some digits contradict each other.</source>
        <translation>Certains chiffres se contredisent.</translation>
    </message>
    <message>
        <source>The puzzle is finished, and every digit is right.</source>
        <translation>La grille est terminée, et tous les chiffres sont justes.</translation>
    </message>
    <message>
        <source>Every digit has been told.</source>
        <translation>Tous les chiffres ont été donnés.</translation>
    </message>
    <message>
        <source>First of all: one of your entries is wrong, in {units}.</source>
        <translation>D’abord&#xa0;: l’un de vos chiffres est faux, dans {units}.</translation>
    </message>
    <message>
        <source>First of all: {count} of your entries are wrong, in {units}.</source>
        <translation>D’abord&#xa0;: {count} de vos chiffres sont faux, dans {units}.</translation>
    </message>
    <message>
        <source>First of all, look at your entries once more: {cells}.</source>
        <translation>Revoyez d’abord ces chiffres&#xa0;: {cells}.</translation>
    </message>
    <message>
        <source>Your entries that are wrong: {corrections}.</source>
        <translation>Chiffres faux&#xa0;: {corrections}.</translation>
    </message>
    <message>
        <source>{cell} has {written}, but is {digit}</source>
        <translation>{cell} contient {written} au lieu de {digit}</translation>
    </message>
    <message>
        <source>None of the techniques known here goes on from this point. Reveal a cell, such as {cell}, and ask again.</source>
        <translation>Aucune des techniques connues ne va plus loin. Dévoilez une case, par exemple {cell}, puis redemandez.</translation>
    </message>
    <message>
        <source>There are no entries to check.</source>
        <translation>Il n’y a rien à vérifier&#xa0;: aucun chiffre n’est écrit.</translation>
    </message>
    <message>
        <source>Your one entry is right.</source>
        <translation>Votre chiffre est juste.</translation>
    </message>
    <message>
        <source>All {count} of your entries are right.</source>
        <translation>Vos {count} chiffres sont tous justes.</translation>
    </message>
    <message>
        <source>{right} right, {wrong} wrong: {cells}.</source>
        <translation>Justes&#xa0;: {right}, faux&#xa0;: {wrong} ({cells}).</translation>
    </message>
    <message>
        <source>Not read for sure: {cells}.</source>
        <translation>Lecture incertaine&#xa0;: {cells}.</translation>
    </message>
    <message>
        <source>The right candidate is struck out: {cells}.</source>
        <translation>Le bon candidat a été rayé&#xa0;: {cells}.</translation>
    </message>
    <message>
        <source>Your entries cannot be checked: no solution of this puzzle has been verified.</source>
        <translation>Impossible de vérifier vos chiffres&#xa0;: aucune solution de cette grille n’a été vérifiée.</translation>
    </message>
    <message>
        <source>{level} ({score}); hardest step: {technique}</source>
        <translation>{level} ({score})&#xa0;; étape la plus dure&#xa0;: {technique}</translation>
    </message>
    <message>
        <source>{level}; beyond the techniques known here</source>
        <translation>{level}&#xa0;; au-delà des techniques connues</translation>
    </message>
    <message>
        <source>{level}; nothing is left to solve</source>
        <translation>{level}&#xa0;; il ne reste rien à résoudre</translation>
    </message>
    <message>
        <source>full house in {unit}</source>
        <translation>dernière case libre, {unit}</translation>
    </message>
    <message>
        <source>hidden single in {unit}</source>
        <translation>singleton caché, {unit}</translation>
    </message>
    <message>
        <source>The puzzle as it was given.</source>
        <translation>La grille de départ.</translation>
    </message>
    <message>
        <source>Solved.</source>
        <translation>Résolu.</translation>
    </message>
    <message>
        <source>None of the techniques known here goes on from this point.</source>
        <translation>Aucune des techniques connues ne va plus loin.</translation>
    </message>
    <message>
        <source>full house</source>
        <translation>dernière case libre</translation>
    </message>
    <message>
        <source>hidden single in a box</source>
        <translation>singleton caché, bloc</translation>
    </message>
    <message>
        <source>hidden single in a row or column</source>
        <translation>singleton caché, ligne ou colonne</translation>
    </message>
    <message>
        <source>direct pointing</source>
        <translation>pointage direct</translation>
    </message>
    <message>
        <source>direct claiming</source>
        <translation>revendication directe</translation>
    </message>
    <message>
        <source>direct hidden pair</source>
        <translation>paire cachée directe</translation>
    </message>
    <message>
        <source>naked single</source>
        <translation>singleton nu</translation>
    </message>
    <message>
        <source>direct hidden triple</source>
        <translation>triplet caché direct</translation>
    </message>
    <message>
        <source>pointing (locked candidates)</source>
        <translation>pointage (candidats verrouillés)</translation>
    </message>
    <message>
        <source>claiming (locked candidates)</source>
        <translation>revendication (candidats verrouillés)</translation>
    </message>
    <message>
        <source>naked pair</source>
        <translation>paire nue</translation>
    </message>
    <message>
        <source>X-wing</source>
        <translation>X-wing</translation>
    </message>
    <message>
        <source>hidden pair</source>
        <translation>paire cachée</translation>
    </message>
    <message>
        <source>naked triple</source>
        <translation>triplet nu</translation>
    </message>
    <message>
        <source>swordfish</source>
        <translation>espadon (swordfish)</translation>
    </message>
    <message>
        <source>hidden triple</source>
        <translation>triplet caché</translation>
    </message>
    <message>
        <source>skyscraper</source>
        <translation>gratte-ciel</translation>
    </message>
    <message>
        <source>two-string kite</source>
        <translation>cerf-volant à deux cordes</translation>
    </message>
    <message>
        <source>turbot fish</source>
        <translation>turbot</translation>
    </message>
    <message>
        <source>simple colouring</source>
        <translation>coloriage simple</translation>
    </message>
    <message>
        <source>XY-wing</source>
        <translation>XY-wing</translation>
    </message>
    <message>
        <source>grouped turbot fish</source>
        <translation>turbot groupé</translation>
    </message>
    <message>
        <source>XYZ-wing</source>
        <translation>XYZ-wing</translation>
    </message>
    <message>
        <source>W-wing</source>
        <translation>W-wing</translation>
    </message>
    <message>
        <source>unique rectangle type 1</source>
        <translation>rectangle unique de type 1</translation>
    </message>
    <message>
        <source>unique rectangle type 2</source>
        <translation>rectangle unique de type 2</translation>
    </message>
    <message>
        <source>unique rectangle type 4</source>
        <translation>rectangle unique de type 4</translation>
    </message>
    <message>
        <source>unique rectangle type 3</source>
        <translation>rectangle unique de type 3</translation>
    </message>
    <message>
        <source>unique loop</source>
        <translation>boucle unique</translation>
    </message>
    <message>
        <source>hidden rectangle</source>
        <translation>rectangle caché</translation>
    </message>
    <message>
        <source>naked quad</source>
        <translation>quadruplet nu</translation>
    </message>
    <message>
        <source>jellyfish</source>
        <translation>méduse (jellyfish)</translation>
    </message>
    <message>
        <source>hidden quad</source>
        <translation>quadruplet caché</translation>
    </message>
    <message>
        <source>X-chain of three strong links</source>
        <translation>chaîne X à trois liens forts</translation>
    </message>
    <message>
        <source>WXYZ-wing</source>
        <translation>WXYZ-wing</translation>
    </message>
    <message>
        <source>BUG+1</source>
        <translation>BUG+1</translation>
    </message>
    <message>
        <source>grouped X-chain of three strong links</source>
        <translation>chaîne X groupée à trois liens forts</translation>
    </message>
    <message>
        <source>VWXYZ-wing</source>
        <translation>VWXYZ-wing</translation>
    </message>
    <message>
        <source>remote pair</source>
        <translation>paire distante</translation>
    </message>
    <message>
        <source>X-cycle</source>
        <translation>cycle X</translation>
    </message>
    <message>
        <source>XY-cycle</source>
        <translation>cycle XY</translation>
    </message>
    <message>
        <source>X-chain</source>
        <translation>chaîne X</translation>
    </message>
    <message>
        <source>XY-chain</source>
        <translation>chaîne XY</translation>
    </message>
    <message>
        <source>continuous AIC loop</source>
        <translation>boucle AIC continue</translation>
    </message>
    <message>
        <source>alternating inference chain</source>
        <translation>chaîne alternée (AIC)</translation>
    </message>
    <message>
        <source>nishio forcing chain</source>
        <translation>chaîne forcée Nishio</translation>
    </message>
    <message>
        <source>cell forcing chain</source>
        <translation>chaîne forcée sur une case</translation>
    </message>
    <message>
        <source>unit forcing chain</source>
        <translation>chaîne forcée sur une unité</translation>
    </message>
    <message>
        <source>dynamic forcing chain</source>
        <translation>chaîne forcée dynamique</translation>
    </message>
    <message>
        <source>dynamic forcing chain with locked candidates</source>
        <translation>chaîne forcée dynamique avec candidats verrouillés</translation>
    </message>
    <message>
        <source>hidden single</source>
        <translation>singleton caché</translation>
    </message>
    <message>
        <source>cage combinations</source>
        <translation>combinaisons de cage</translation>
    </message>
    <message>
        <source>digit that a cage needs</source>
        <translation>chiffre nécessaire à une cage</translation>
    </message>
    <message>
        <source>innies and outies (rule of 45)</source>
        <translation>cases rentrantes et sortantes (règle de 45)</translation>
    </message>
    <message>
        <source>In {units}, {digit} fits only in {cell}.</source>
        <translation>Dans {units}, le {digit} ne va qu’en {cell}.</translation>
    </message>
    <message>
        <source>{cell} can only be {digit}: every other digit is ruled out for it.</source>
        <translation>{cell} ne peut être que {digit}&#xa0;: tout autre chiffre y est exclu.</translation>
    </message>
    <message>
        <source>{cell} is the last empty cell of {units}, so it takes the missing {digit}.</source>
        <translation>{cell} est la dernière case libre dans {units} et reçoit le {digit} qui manque.</translation>
    </message>
    <message>
        <source>In {units}, only {cell} is empty, and {total} is left of the sum.</source>
        <translation>Dans {units}, seule la case {cell} est vide, et il reste {total} de la somme.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave {total} for {cell}.</source>
        <translation>D’après la règle de {rule}, {units} et les cages qui s’y trouvent laissent {total} pour {cell}.</translation>
    </message>
    <message>
        <source>{cell} can only be {digit}: every other digit is ruled out for it by its row, column and box.</source>
        <translation>{cell} ne peut être que {digit}&#xa0;: sa ligne, sa colonne et son bloc excluent tout autre chiffre.</translation>
    </message>
    <message>
        <source>Without {digit} in {cell}, every empty cell would have two candidates, and the puzzle two solutions or none; so {cell} is {digit}.</source>
        <translation>Sans {digit} en {cell}, chaque case libre aurait deux candidats, et la grille deux solutions ou aucune&#xa0;; {cell} vaut donc {digit}.</translation>
    </message>
    <message>
        <source>In {first}, {struck} fits only in {any_cell}, all in {second}, so the rest of {second} cannot hold it.</source>
        <translation>Dans {first}, le {struck} ne va qu’en {any_cell}. Ces cases sont toutes dans {second}, où le {struck} ne tient donc nulle part ailleurs.</translation>
    </message>
    <message>
        <source>The cells {cells} can hold nothing but {digits} and use them up, so no other cell of {units} can hold them.</source>
        <translation>Les cases {cells} ne peuvent contenir que {digits} et les épuisent&#xa0;; dans {units}, aucune autre case ne peut les recevoir.</translation>
    </message>
    <message>
        <source>In {units}, {digits} fit only in {cells}, so these cells have no room for anything else.</source>
        <translation>Dans {units}, {digits} ne vont qu’en {cells}&#xa0;; ces cases n’ont de place pour rien d’autre.</translation>
    </message>
    <message>
        <source>The places for {struck} in {cells} lie in as many rows as columns ({units}) and use all of these up, so {struck} cannot stand anywhere else there.</source>
        <translation>Les places du {struck} en {cells} occupent autant de lignes que de colonnes ({units}) et les épuisent toutes&#xa0;; le {struck} n’y tient nulle part ailleurs.</translation>
    </message>
    <message>
        <source>Whatever {cells} hold, {struck} is among them, so no cell that sees all its places there can hold it.</source>
        <translation>Quoi que contiennent {cells}, {struck} s’y trouve&#xa0;; aucune case qui voit toutes ses places ne peut le contenir.</translation>
    </message>
    <message>
        <source>In {units}, a sum of {total} is left for {cells}, which is {sums}.</source>
        <translation>Dans {units}, il reste une somme de {total} pour {cells}, soit {sums}.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, which is {sums}.</source>
        <translation>D’après la règle de {rule}, {units} et les cages qui s’y trouvent laissent une somme de {total} pour {cells}, soit {sums}.</translation>
    </message>
    <message>
        <source>In {units}, a sum of {total} is left for {cells}, which not all of their candidates can be part of.</source>
        <translation>Dans {units}, il reste une somme de {total} pour {cells}, dont tous leurs candidats ne peuvent pas faire partie.</translation>
    </message>
    <message>
        <source>By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, which not all of their candidates can be part of.</source>
        <translation>D’après la règle de {rule}, {units} et les cages qui s’y trouvent laissent une somme de {total} pour {cells}, dont tous leurs candidats ne peuvent pas faire partie.</translation>
    </message>
    <message>
        <source>In {units}, the sum needs {struck}, which fits only in {any_cell}, so no cell that sees all of these can hold it.</source>
        <translation>Dans {units}, la somme exige {struck}, qui ne va qu’en {any_cell}&#xa0;; aucune case qui les voit toutes ne peut donc le contenir.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution, so {cells_roof} must hold another digit.</source>
        <translation>Si {cells} ne contenaient que {digits}, on pourrait les échanger et obtenir une seconde solution&#xa0;; {cells_roof} contient donc un autre chiffre.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution, so one of {cells_roof} must be {digits_more}.</source>
        <translation>Si {cells} ne contenaient que {digits}, on pourrait les échanger et obtenir une seconde solution&#xa0;; l’une des cases {cells_roof} vaut donc {digits_more}, qu’aucune case qui les voit toutes ne peut contenir.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution. In {unit}, {digits_there} fits only in {cells_roof}, so neither of these can be {digits_other}.</source>
        <translation>Si {cells} ne contenaient que {digits}, on pourrait les échanger et obtenir une seconde solution. Dans {unit}, le {digits_there} ne va qu’en {cells_roof}&#xa0;; ni l’une ni l’autre ne peut donc être {digits_other}.</translation>
    </message>
    <message>
        <source>If {cells} held only {digits}, these could be swapped for a second solution. With {digits_other} in {cells_corner} it would come to that, as in {unit_row} and in {unit_column}, {digits_there} fits only in corners.</source>
        <translation>Si {cells} ne contenaient que {digits}, on pourrait les échanger et obtenir une seconde solution. Avec {digits_other} en {cells_corner}, on y arriverait, car dans {unit_row} et dans {unit_column}, le {digits_there} ne va que dans les coins.</translation>
    </message>
    <message>
        <source>{cells_ends} cannot both be {digits_other}, as {unit} would then have no place for it, so one of them is {digits}, and no cell that sees both can hold {digits}.</source>
        <translation>{cells_ends} ne peuvent être tous deux {digits_other}, qui n’aurait alors plus de place dans {unit}&#xa0;; l’un vaut donc {digits}, et aucune case qui voit les deux ne peut contenir {digits}.</translation>
    </message>
    <message>
        <source>{digits} stands either in all of {cells_one} or in all of {cells_two}; two of the latter see each other, so it stands in none of them.</source>
        <translation>Le {digits} est soit partout en {cells_one}, soit partout en {cells_two}&#xa0;; deux de ces dernières se voient, il n’y est donc nulle part.</translation>
    </message>
    <message>
        <source>{digits} stands either in all of {cells_one} or in all of {cells_two}, so no cell that sees one of each can hold it.</source>
        <translation>Le {digits} est soit partout en {cells_one}, soit partout en {cells_two}&#xa0;; aucune case qui voit l’une des unes et l’une des autres ne peut le contenir.</translation>
    </message>
    <message>
        <source>Along {chain}, {digits} take turns, so {cells_ends} hold one each, and no cell that sees both can hold either.</source>
        <translation>Le long de {chain}, {digits} alternent&#xa0;; {cells_ends} en contiennent un chacune, et aucune case qui voit les deux ne peut en contenir.</translation>
    </message>
    <message>
        <source>en</source>
        <translation>fr</translation>
    </message>
    <message>
        <source>On your board now</source>
        <translation>Sur votre grille en ce moment</translation>
    </message>
    <message>
        <source>An example</source>
        <translation>Un exemple</translation>
    </message>
    <message>
        <source>How to spot it</source>
        <translation>Comment la repérer</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Ce qui en découle</translation>
    </message>
    <message>
        <source>rows {numbers}</source>
        <translation>les lignes {numbers}</translation>
    </message>
    <message>
        <source>columns {numbers}</source>
        <translation>les colonnes {numbers}</translation>
    </message>
    <message>
        <source>boxes {numbers}</source>
        <translation>les blocs {numbers}</translation>
    </message>
    <message>
        <source>windows {numbers}</source>
        <translation>les fenêtres {numbers}</translation>
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
        <translation>dans {unit}, il ne va qu’en {one} ou en {other}</translation>
    </message>
    <message>
        <source>If {start}, then {then}. So {first} or {second}, and what both rule out is wrong.</source>
        <translation>{start} → {then}. Donc {first} ou {second}&#xa0;; ce que les deux excluent est faux.</translation>
    </message>
    <message>
        <source>If {start}, then {then}. So {target} in any case.</source>
        <translation>{start} → {then}. Donc {target} dans tous les cas.</translation>
    </message>
    <message>
        <source>If {start}, then {then}: a ring, which holds backwards, too. Of each two neighbours in it one is right, and what both rule out is wrong.</source>
        <translation>{start} → {then}&#xa0;: un anneau, qui vaut aussi à rebours. De deux voisins, l’un est juste&#xa0;; ce que les deux excluent est faux.</translation>
    </message>
    <message>
        <source>Whatever digit {cell_choice} takes, {target}: {branches}.</source>
        <translation>Quel que soit le chiffre en {cell_choice}, {target} : {branches}.</translation>
    </message>
    <message>
        <source>Wherever {digits} goes in {unit}, {target}: {branches}.</source>
        <translation>Où que soit {digits} dans {unit}, {target} : {branches}.</translation>
    </message>
    <message>
        <source>Suppose, one after the other: {story}. That contradicts itself, so {target}.</source>
        <translation>Supposons, de proche en proche&#xa0;: {story}. Cela se contredit, donc {target}.</translation>
    </message>
    <message>
        <source>Follow {digits}: {links}. So it stands at one end of this chain, and no cell that sees both {cells_one} and {cells_two} can hold it.</source>
        <translation>Suivez le {digits} : {links}. Il se trouve donc à un bout de cette chaîne, et aucune case qui voit {cells_one} et {cells_two} ne peut le contenir.</translation>
    </message>
    <message>
        <source>If {cells_corners} held only {digits}, these could be swapped for a second solution, so {cells_roof} hold one of {digits_more} and, with {cells_subset}, use up {digits_used} in {unit}.</source>
        <translation>Si {cells_corners} ne contenaient que {digits}, on pourrait les échanger et obtenir une seconde solution&#xa0;; l’une des cases {cells_roof} contient donc l’un des chiffres {digits_more} et, avec {cells_subset}, épuise {digits_used} dans {unit}.</translation>
    </message>
    <message>
        <source>What {cells} rule out leaves {cell} as the only place for {digit} in {second}.</source>
        <translation>Ce que {cells} excluent ne laisse que {cell} pour {digit} dans {second}.</translation>
    </message>
</context>
<context>
    <name>HelpPanel</name>
    <message>
        <source>Help</source>
        <translation>Aide</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Indice</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Effacer</translation>
    </message>
    <message>
        <source>Take the marks off the board, and begin hints anew</source>
        <translation>Effacer les marques et recommencer les indices</translation>
    </message>
    <message>
        <source>What is this technique?</source>
        <translation>Quelle est cette technique ?</translation>
    </message>
    <message>
        <source>Check my entries</source>
        <translation>Vérifier mes chiffres</translation>
    </message>
    <message>
        <source>Reveal all</source>
        <translation>Tout dévoiler</translation>
    </message>
    <message>
        <source>Reveal this cell</source>
        <translation>Dévoiler cette case</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Candidats</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Aucun</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tous</translation>
    </message>
    <message>
        <source>After logic</source>
        <translation>Après logique</translation>
    </message>
    <message>
        <source>No candidates</source>
        <translation>Aucun candidat</translation>
    </message>
    <message>
        <source>All candidates</source>
        <translation>Tous les candidats</translation>
    </message>
    <message>
        <source>Candidates that logic leaves</source>
        <translation>Candidats que la logique laisse</translation>
    </message>
    <message>
        <source>Every digit that no row, column or box rules out</source>
        <translation>Tout chiffre que ni ligne, ni colonne, ni bloc n’exclut</translation>
    </message>
    <message>
        <source>What locked candidates, pairs, triples and fish leave of them</source>
        <translation>Ce qu’en laissent candidats verrouillés, paires, triplets et poissons</translation>
    </message>
    <message>
        <source>A hint says first where to look, then the technique and its cells, then the step.</source>
        <translation>Un indice dit d’abord où regarder, puis la technique et ses cases, puis l’étape.</translation>
    </message>
    <message>
        <source>Open a photo or a puzzle, and help is at hand.</source>
        <translation>Ouvrez une photo ou une grille, et l’aide est là.</translation>
    </message>
    <message>
        <source>Next hint</source>
        <translation>Indice suivant</translation>
    </message>
    <message>
        <source>Which cells?</source>
        <translation>Quelles cases&#xa0;?</translation>
    </message>
    <message>
        <source>Show the step</source>
        <translation>Montrer l’étape</translation>
    </message>
    <message>
        <source>Reveal a cell</source>
        <translation>Dévoiler une case</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>Historique</translation>
    </message>
    <message>
        <source>Search: photo, difficulty, digits</source>
        <translation>Chercher&#xa0;: photo, difficulté, chiffres</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>Chercher dans l’historique</translation>
    </message>
    <message>
        <source>Puzzles, newest first</source>
        <translation>Grilles, les plus récentes d’abord</translation>
    </message>
    <message>
        <source>Begin a new history</source>
        <translation>Commencer un nouvel historique</translation>
    </message>
    <message>
        <source>Deleted.</source>
        <translation>Supprimé.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler la suppression</translation>
    </message>
    <message>
        <source>Put the deleted puzzle back</source>
        <translation>Remettre la grille supprimée</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Nothing is found. Search for less.</source>
        <translation>Rien n’est trouvé. Cherchez moins de mots.</translation>
    </message>
    <message>
        <source>Puzzles that are solved will stand here.</source>
        <translation>Les grilles résolues apparaîtront ici.</translation>
    </message>
    <message>
        <source>The history is damaged and cannot be read.</source>
        <translation>L’historique est endommagé et illisible.</translation>
    </message>
    <message>
        <source>Another program holds the history. Try again in a moment.</source>
        <translation>Un autre programme occupe l’historique. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>The disk is full, so the history cannot be kept.</source>
        <translation>Le disque est plein&#xa0;: l’historique ne peut être tenu.</translation>
    </message>
    <message>
        <source>The history cannot be opened or written to.</source>
        <translation>L’historique ne peut être ouvert ou écrit.</translation>
    </message>
    <message>
        <source>A later version of Sudoku Lens wrote the history. Use that version to see it.</source>
        <translation>Une version plus récente de Sudoku Lens a écrit l’historique. Ouvrez-le avec elle.</translation>
    </message>
    <message>
        <source>Puzzle of {0} clues</source>
        <translation>Grille de {0} chiffres</translation>
    </message>
    <message>
        <source>solved in {0}</source>
        <translation>résolu en {0}</translation>
    </message>
</context>
<context>
    <name>HistoryRecorder</name>
    <message>
        <source>From the history</source>
        <translation>De l’historique</translation>
    </message>
</context>
<context>
    <name>LiveEntry</name>
    <message>
        <source>Snapshot {}</source>
        <translation>Instantané {}</translation>
    </message>
</context>
<context>
    <name>LivePage</name>
    <message>
        <source>Freeze</source>
        <translation>Figer</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Espace</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Miroir</translation>
    </message>
    <message>
        <source>Take as a photo</source>
        <translation>Prendre en photo</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>The picture is copied</source>
        <translation>L’image est copiée</translation>
    </message>
    <message>
        <source>Open a video</source>
        <translation>Ouvrir une vidéo</translation>
    </message>
    <message>
        <source>Videos ({})</source>
        <translation>Vidéos ({})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Direct</translation>
    </message>
</context>
<context>
    <name>LiveScreen</name>
    <message>
        <source>Live picture</source>
        <translation>Image en direct</translation>
    </message>
</context>
<context>
    <name>LiveSources</name>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Camera, video file or address</source>
        <translation>Caméra, fichier vidéo ou adresse</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>rtsp://… or http://…</source>
        <translation>rtsp://… ou http://…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Afficher</translation>
    </message>
    <message>
        <source>Video file…</source>
        <translation>Fichier vidéo…</translation>
    </message>
    <message>
        <source>Address…</source>
        <translation>Adresse…</translation>
    </message>
    <message>
        <source>Choose a source</source>
        <translation>Choisir une source</translation>
    </message>
    <message>
        <source>No camera</source>
        <translation>Pas de caméra</translation>
    </message>
</context>
<context>
    <name>LiveWord</name>
    <message>
        <source>Reading the digits…</source>
        <translation>Lecture des chiffres…</translation>
    </message>
    <message>
        <source>Hold the page still for a moment.</source>
        <translation>Tenez la page immobile un instant.</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Résolu</translation>
    </message>
    <message>
        <source>exactly one solution</source>
        <translation>une seule solution</translation>
    </message>
    <message>
        <source>More than one solution</source>
        <translation>Plus d’une solution</translation>
    </message>
    <message>
        <source>Perhaps a digit is hidden: come nearer, and hold the page flat.</source>
        <translation>Peut-être un chiffre est-il caché&#xa0;: approchez-vous, et tenez la page à plat.</translation>
    </message>
    <message>
        <source>The digits contradict each other</source>
        <translation>Les chiffres se contredisent</translation>
    </message>
    <message>
        <source>Perhaps one is misread: come nearer, or get more light.</source>
        <translation>Peut-être l’un est-il mal lu&#xa0;: approchez-vous, ou ajoutez de la lumière.</translation>
    </message>
    <message>
        <source>Not all digits can be read yet</source>
        <translation>Tous les chiffres ne sont pas encore lisibles</translation>
    </message>
    <message>
        <source>Come nearer, hold the page still, or get more light.</source>
        <translation>Approchez-vous, tenez la page immobile, ou ajoutez de la lumière.</translation>
    </message>
    <message>
        <source>Looking for a Sudoku</source>
        <translation>Recherche d’un sudoku</translation>
    </message>
    <message>
        <source>Hold the page so that the whole grid is in the picture.</source>
        <translation>Tenez la page de sorte que toute la grille soit dans l’image.</translation>
    </message>
    <message>
        <source>The picture is frozen.</source>
        <translation>L’image est figée.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Préparation…</translation>
    </message>
    <message>
        <source>Waiting for the first picture…</source>
        <translation>En attente de la première image…</translation>
    </message>
    <message>
        <source>Boards cannot be read here</source>
        <translation>Les grilles ne peuvent être lues ici</translation>
    </message>
    <message>
        <source>No camera was found</source>
        <translation>Aucune caméra trouvée</translation>
    </message>
    <message>
        <source>Plug one in, or choose a video file or an address above.</source>
        <translation>Branchez-en une, ou choisissez ci-dessus un fichier vidéo ou une adresse.</translation>
    </message>
    <message>
        <source>Install it with: pip install pyside6-addons</source>
        <translation>Installez-la par&#xa0;: pip install pyside6-addons</translation>
    </message>
    <message>
        <source>Install it with: sudo apt install libpulse0</source>
        <translation>Installez-la par&#xa0;: sudo apt install libpulse0</translation>
    </message>
    <message>
        <source>The system says: {}</source>
        <translation>Le système dit&#xa0;: {}</translation>
    </message>
    <message>
        <source>Video files and addresses can be shown without it.</source>
        <translation>Fichiers vidéo et adresses s’affichent aussi sans elle.</translation>
    </message>
    <message>
        <source>Cameras need a part that is not installed</source>
        <translation>Les caméras ont besoin d’une partie qui n’est pas installée</translation>
    </message>
    <message>
        <source>The camera was unplugged</source>
        <translation>La caméra a été débranchée</translation>
    </message>
    <message>
        <source>Plug it in again and it goes on, or choose another source.</source>
        <translation>Rebranchez-la et tout continue, ou choisissez une autre source.</translation>
    </message>
    <message>
        <source>The camera may not be used</source>
        <translation>La caméra ne peut être utilisée</translation>
    </message>
    <message>
        <source>Allow it in the privacy settings of the system, then try again.</source>
        <translation>Autorisez-la dans les réglages de confidentialité du système, puis réessayez.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>The camera shows no picture</source>
        <translation>La caméra ne montre pas d’image</translation>
    </message>
    <message>
        <source>Perhaps another program uses it: close that one, then try again.</source>
        <translation>Peut-être un autre programme l’utilise-t-il&#xa0;: fermez-le, puis réessayez.</translation>
    </message>
    <message>
        <source>This source cannot be shown</source>
        <translation>Cette source ne peut être affichée</translation>
    </message>
    <message>
        <source>{name} is no video that can be played: choose another, such as an .mp4.</source>
        <translation>{name} n’est pas une vidéo lisible : choisissez-en une autre, par exemple un .mp4.</translation>
    </message>
    <message>
        <source>Nothing was received from {name}: check the address and the network.</source>
        <translation>Rien n’a été reçu de {name} : vérifiez l’adresse et le réseau.</translation>
    </message>
    <message>
        <source>The video has ended</source>
        <translation>La vidéo est terminée</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>Rejouer</translation>
    </message>
</context>
<context>
    <name>Loupe</name>
    <message>
        <source>Loupe</source>
        <translation>Loupe</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Fichier</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Ouverts &amp;récemment</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Édition</translation>
    </message>
    <message>
        <source>&amp;Board</source>
        <translation>&amp;Grille</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Jouer</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Affichage</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Aid&amp;e</translation>
    </message>
    <message>
        <source>S&amp;hare</source>
        <translation>Par&amp;tager</translation>
    </message>
    <message>
        <source>High &amp;contrast</source>
        <translation>&amp;Contraste élevé</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thème</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>Comme le &amp;système</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Clair</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Sombre</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>&amp;Langue</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Outils</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Partager</translation>
    </message>
</context>
<context>
    <name>NewPuzzleDialog</name>
    <message>
        <source>New puzzle</source>
        <translation>Nouvelle grille</translation>
    </message>
    <message>
        <source>How hard shall it be?</source>
        <translation>De quelle difficulté&#xa0;?</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}&#xa0;: {1}</translation>
    </message>
    <message>
        <source>for beginners, each digit is soon seen</source>
        <translation>pour débuter, chaque chiffre se voit vite</translation>
    </message>
    <message>
        <source>{0} grids</source>
        <translation>{0} grilles</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Genre</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>with some searching in rows and columns</source>
        <translation>en cherchant un peu dans les lignes et les colonnes</translation>
    </message>
    <message>
        <source>it helps to note which digits may stand in a cell</source>
        <translation>il est utile de noter les chiffres possibles dans les cases</translation>
    </message>
    <message>
        <source>for the practised, digits follow from long trains of thought</source>
        <translation>pour les habitués, les chiffres demandent de longues réflexions</translation>
    </message>
    <message>
        <source>for the tireless, several cases must be thought through</source>
        <translation>pour les infatigables, il faut envisager plusieurs cas</translation>
    </message>
    <message>
        <source>Digits given</source>
        <translation>Chiffres donnés</translation>
    </message>
    <message>
        <source>anywhere</source>
        <translation>n’importe où</translation>
    </message>
    <message>
        <source>look the same upside down</source>
        <translation>identiques à l’envers</translation>
    </message>
    <message>
        <source>look the same on every side</source>
        <translation>identiques de chaque côté</translation>
    </message>
    <message>
        <source>left and right are mirror images</source>
        <translation>gauche et droite en miroir</translation>
    </message>
    <message>
        <source>top and bottom are mirror images</source>
        <translation>haut et bas en miroir</translation>
    </message>
    <message>
        <source>mirrored at the diagonal</source>
        <translation>en miroir sur la diagonale</translation>
    </message>
    <message>
        <source>A puzzle is being made</source>
        <translation>Une grille est en préparation</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>Créer</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Looking for such a puzzle. Hard ones may take a minute.</source>
        <translation>Recherche d’une telle grille. Les difficiles peuvent prendre une minute.</translation>
    </message>
    <message>
        <source>No such puzzle was found. Try again, or choose otherwise.</source>
        <translation>Aucune grille de ce genre n’a été trouvée. Réessayez, ou choisissez autrement.</translation>
    </message>
    <message>
        <source>There is no scale of how hard such puzzles are.</source>
        <translation>Aucune échelle ne dit combien ces grilles sont difficiles.</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Notice</source>
        <translation>Avis</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Something went wrong</source>
        <translation>Quelque chose s’est mal passé</translation>
    </message>
    <message>
        <source>This is a fault of Sudoku Lens, not of your photo. You can go on working.</source>
        <translation>C’est un défaut de Sudoku Lens, pas de votre photo. Vous pouvez continuer.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapport</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Copier le rapport</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Raccourcis clavier</translation>
    </message>
    <message>
        <source>Set the digit of the chosen cell</source>
        <translation>Mettre un chiffre dans la case choisie</translation>
    </message>
    <message>
        <source>Empty the chosen cell</source>
        <translation>Vider la case choisie</translation>
    </message>
    <message>
        <source>Write a corner mark</source>
        <translation>Écrire une marque de coin</translation>
    </message>
    <message>
        <source>Write a centre mark</source>
        <translation>Écrire une marque de centre</translation>
    </message>
    <message>
        <source>Colour the chosen cells</source>
        <translation>Colorer les cases choisies</translation>
    </message>
    <message>
        <source>Write digits, corner marks, centre marks or colours</source>
        <translation>Écrire des chiffres, des marques de coin, de centre ou des couleurs</translation>
    </message>
    <message>
        <source>Choose more cells</source>
        <translation>Choisir d’autres cases</translation>
    </message>
    <message>
        <source>Choose all cells</source>
        <translation>Choisir toutes les cases</translation>
    </message>
    <message>
        <source>Cells and digits</source>
        <translation>Cases et chiffres</translation>
    </message>
    <message>
        <source>Choose another cell, or move a corner</source>
        <translation>Choisir une autre case, ou déplacer un coin</translation>
    </message>
    <message>
        <source>Leave the cell or the corners</source>
        <translation>Quitter la case ou les coins</translation>
    </message>
    <message>
        <source>Show the solution of the chosen cell</source>
        <translation>Montrer la solution de la case choisie</translation>
    </message>
    <message>
        <source>Point at a digit for the chosen cell</source>
        <translation>Désigner un chiffre pour la case choisie</translation>
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
        <translation>En pause</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
</context>
<context>
    <name>PhoneDialog</name>
    <message>
        <source>Use my phone</source>
        <translation>Utiliser mon téléphone</translation>
    </message>
    <message>
        <source>Scan this code with the phone</source>
        <translation>Scannez ce code avec le téléphone</translation>
    </message>
    <message>
        <source>The phone must be in the same Wi-Fi as this computer. Hold its camera before the code and open the page. The photos that it takes appear here, too.</source>
        <translation>Le téléphone doit être sur le même Wi-Fi que cet ordinateur. Placez son appareil photo devant le code et ouvrez la page. Les photos qu’il prend apparaissent aussi ici.</translation>
    </message>
    <message>
        <source>The page is being prepared …</source>
        <translation>Préparation de la page…</translation>
    </message>
    <message>
        <source>Code with the address of the page</source>
        <translation>Code contenant l’adresse de la page</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Copier l’adresse</translation>
    </message>
    <message>
        <source>With the secret that opens the page: give it to nobody you do not trust</source>
        <translation>Avec le secret qui ouvre la page : ne la donnez qu’à des personnes de confiance</translation>
    </message>
    <message>
        <source>With the live camera on the phone (encrypted)</source>
        <translation>Avec la caméra en direct sur le téléphone (chiffré)</translation>
    </message>
    <message>
        <source>Without a warning: phones install a certificate once</source>
        <translation>Sans avertissement : les téléphones installent un certificat une fois</translation>
    </message>
    <message>
        <source>This computer makes an authority of its own, which vouches for pages of the local network alone. Phones that install it trust whoever has its key, which stays here.</source>
        <translation>Cet ordinateur crée sa propre autorité de certification, qui ne se porte garante que de pages du réseau local. Les téléphones qui l’installent font confiance à qui détient sa clé ; elle reste ici.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>The page stays open until you stop it or close the window.</source>
        <translation>La page reste ouverte jusqu’à ce que vous l’arrêtiez ou fermiez la fenêtre.</translation>
    </message>
    <message>
        <source>The page is closed: no phone can open it.</source>
        <translation>La page est fermée : aucun téléphone ne peut l’ouvrir.</translation>
    </message>
    <message>
        <source>The phone warns of a certificate that it does not know. Go on there if it is this one (SHA-256):</source>
        <translation>Le téléphone met en garde contre un certificat inconnu. Continuez s’il s’agit bien de celui-ci (SHA-256) :</translation>
    </message>
    <message>
        <source>On a phone that warns, install the certificate from {} once. Compare what the phone shows with this (SHA-256):</source>
        <translation>Sur un téléphone qui avertit, installez une fois le certificat de {}. Comparez ce qu’il affiche avec ceci (SHA-256) :</translation>
    </message>
    <message>
        <source>The page for phones needs packages that are not installed. Install:</source>
        <translation>La page pour téléphones a besoin de paquets qui ne sont pas installés. À installer :</translation>
    </message>
    <message>
        <source>The page for phones cannot be opened here.</source>
        <translation>La page pour téléphones ne peut pas s’ouvrir ici.</translation>
    </message>
    <message>
        <source>This computer is in no network, so no phone can reach it: connect it to the Wi-Fi of the phone, then stop and begin again.</source>
        <translation>Cet ordinateur n’est sur aucun réseau, aucun téléphone ne peut donc l’atteindre : connectez-le au Wi-Fi du téléphone, puis recommencez.</translation>
    </message>
    <message>
        <source>Waiting for the phone …</source>
        <translation>En attente du téléphone…</translation>
    </message>
    <message>
        <source>1 phone</source>
        <translation>1 téléphone</translation>
    </message>
    <message>
        <source>{} phones</source>
        <translation>{} téléphones</translation>
    </message>
    <message>
        <source>{}, no photo yet</source>
        <translation>{}, pas encore de photo</translation>
    </message>
    <message>
        <source>{}, 1 photo</source>
        <translation>{}, 1 photo</translation>
    </message>
    <message>
        <source>{0}, {1} photos</source>
        <translation>{0}, {1} photos</translation>
    </message>
</context>
<context>
    <name>PhoneEntry</name>
    <message>
        <source>Phone {}</source>
        <translation>Téléphone {}</translation>
    </message>
</context>
<context>
    <name>PhoneList</name>
    <message>
        <source>Let these phones in again after a restart</source>
        <translation>Laisser revenir ces téléphones après un redémarrage</translation>
    </message>
    <message>
        <source>This computer then keeps a list of them, without their secrets</source>
        <translation>Cet ordinateur en garde alors une liste, sans leurs secrets</translation>
    </message>
    <message>
        <source>Phone of unknown kind</source>
        <translation>Téléphone d’un type inconnu</translation>
    </message>
    <message>
        <source>{0}, here {1}</source>
        <translation>{0}, ici le {1}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>Retirer {}</translation>
    </message>
    <message>
        <source>It comes in no more, and the code gets a new secret</source>
        <translation>Il n’entre plus, et le code reçoit un nouveau secret</translation>
    </message>
</context>
<context>
    <name>PhotoDialog</name>
    <message>
        <source>Open photos</source>
        <translation>Ouvrir des photos</translation>
    </message>
    <message>
        <source>Photos</source>
        <translation>Photos</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Grilles</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Tous les fichiers</translation>
    </message>
</context>
<context>
    <name>PhotoList</name>
    <message>
        <source>All</source>
        <translation>Toutes</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Résolues</translation>
    </message>
    <message>
        <source>In doubt</source>
        <translation>Douteuses</translation>
    </message>
    <message>
        <source>Not solved</source>
        <translation>Non résolues</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>Ouverture</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Par nom</translation>
    </message>
    <message>
        <source>By date</source>
        <translation>Par date</translation>
    </message>
    <message>
        <source>By outcome</source>
        <translation>Par résultat</translation>
    </message>
    <message>
        <source>Show photos by outcome</source>
        <translation>Afficher les photos par résultat</translation>
    </message>
    <message>
        <source>Which photos are listed</source>
        <translation>Quelles photos sont dans la liste</translation>
    </message>
    <message>
        <source>Sort the photos</source>
        <translation>Trier les photos</translation>
    </message>
    <message>
        <source>How the photos are sorted</source>
        <translation>Comment les photos sont triées</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} sur {1}</translation>
    </message>
    <message>
        <source>{0} of {1} photos are shown</source>
        <translation>{0} photos sur {1} sont affichées</translation>
    </message>
    <message>
        <source>{0} of {1} photos are done</source>
        <translation>{0} photos sur {1} sont terminées</translation>
    </message>
    <message>
        <source>{1} open</source>
        <translation>{1} ouverts</translation>
    </message>
    <message>
        <source>All {1} photos are shown</source>
        <translation>Les {1} photos sont toutes affichées</translation>
    </message>
</context>
<context>
    <name>PhotoView</name>
    <message>
        <source>Photo</source>
        <translation>Photo</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Time {0}</source>
        <translation>Temps {0}</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Jouer</translation>
    </message>
    <message>
        <source>Digit {0}</source>
        <translation>Chiffre {0}</translation>
    </message>
    <message>
        <source>Corner mark {0}</source>
        <translation>Marque de coin {0}</translation>
    </message>
    <message>
        <source>Centre mark {0}</source>
        <translation>Marque de centre {0}</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Effacer</translation>
    </message>
    <message>
        <source>red</source>
        <translation>rouge</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>orange</translation>
    </message>
    <message>
        <source>yellow</source>
        <translation>jaune</translation>
    </message>
    <message>
        <source>green</source>
        <translation>vert</translation>
    </message>
    <message>
        <source>turquoise</source>
        <translation>turquoise</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>bleu</translation>
    </message>
    <message>
        <source>purple</source>
        <translation>violet</translation>
    </message>
    <message>
        <source>pink</source>
        <translation>rose</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>gris</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Préférences</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Langue</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Thème</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Taille du texte</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Afficher</translation>
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
        <translation>Imprimer</translation>
    </message>
</context>
<context>
    <name>RatingLine</name>
    <message>
        <source>Difficulty</source>
        <translation>Difficulté</translation>
    </message>
    <message>
        <source>Difficulty: …</source>
        <translation>Difficulté&#xa0;: …</translation>
    </message>
    <message>
        <source>Difficulty: {0}</source>
        <translation>Difficulté&#xa0;: {0}</translation>
    </message>
</context>
<context>
    <name>RuleBar</name>
    <message>
        <source>Correct the rules</source>
        <translation>Corriger les règles</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Type</translation>
    </message>
    <message>
        <source>S&amp;um</source>
        <translation>S&amp;omme</translation>
    </message>
    <message>
        <source>&amp;New cage</source>
        <translation>&amp;Nouvelle cage</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>T&amp;erminé</translation>
    </message>
    <message>
        <source>&amp;Join them</source>
        <translation>&amp;Joindre</translation>
    </message>
    <message>
        <source>Drag from a cell of a region over cells that belong to it, then join them.</source>
        <translation>Glissez d’une case d’une région sur celles qui en font partie, puis joignez-les.</translation>
    </message>
    <message>
        <source>Drag from a cell of a cage over cells that belong to it, then join them. Type the sum of the chosen cage.</source>
        <translation>Glissez d’une case d’une cage sur celles qui en font partie, puis joignez-les. Tapez la somme de la cage choisie.</translation>
    </message>
    <message>
        <source>Choose the kind that the page says or shows.</source>
        <translation>Choisissez le type que la page indique ou montre.</translation>
    </message>
</context>
<context>
    <name>ShareMenu</name>
    <message>
        <source>The picture is copied.</source>
        <translation>L’image est copiée.</translation>
    </message>
    <message>
        <source>The puzzle is copied.</source>
        <translation>La grille est copiée.</translation>
    </message>
    <message>
        <source>The solution is copied.</source>
        <translation>La solution est copiée.</translation>
    </message>
    <message>
        <source>The link is copied.</source>
        <translation>Le lien est copié.</translation>
    </message>
    <message>
        <source>Save the solved picture</source>
        <translation>Enregistrer l’image résolue</translation>
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
        <translation>Enregistrer la grille</translation>
    </message>
    <message>
        <source>Save as PDF</source>
        <translation>Enregistrer en PDF</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Copy the &amp;picture</source>
        <translation>Copier l’&amp;image</translation>
    </message>
    <message>
        <source>Copy the p&amp;uzzle (81 characters)</source>
        <translation>Copier la &amp;grille (81 caractères)</translation>
    </message>
    <message>
        <source>Copy the &amp;solution (81 characters)</source>
        <translation>Copier la &amp;solution (81 caractères)</translation>
    </message>
    <message>
        <source>Copy a &amp;link</source>
        <translation>Copier un &amp;lien</translation>
    </message>
    <message>
        <source>Sa&amp;ve the solved picture…</source>
        <translation>&amp;Enregistrer l’image résolue…</translation>
    </message>
    <message>
        <source>Save the puzzle &amp;as</source>
        <translation>Enregistrer la grille &amp;sous</translation>
    </message>
    <message>
        <source>P&amp;rint</source>
        <translation>Im&amp;primer</translation>
    </message>
    <message>
        <source>Save as P&amp;DF</source>
        <translation>Enregistrer en P&amp;DF</translation>
    </message>
    <message>
        <source>The &amp;puzzle…</source>
        <translation>La &amp;grille…</translation>
    </message>
    <message>
        <source>The puzzle, with a &amp;small solution below…</source>
        <translation>La grille, avec une &amp;petite solution dessous…</translation>
    </message>
    <message>
        <source>The s&amp;olution…</source>
        <translation>La &amp;solution…</translation>
    </message>
    <message>
        <source>The solved p&amp;hoto…</source>
        <translation>La p&amp;hoto résolue…</translation>
    </message>
    <message>
        <source>Copy the p&amp;uzzle</source>
        <translation>Copier la &amp;grille</translation>
    </message>
    <message>
        <source>Copy the &amp;solution</source>
        <translation>Copier la &amp;solution</translation>
    </message>
    <message>
        <source>Line of text</source>
        <translation>Ligne de texte</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Collection</translation>
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
        <translation>{0} existe déjà. Faut-il le remplacer&#xa0;?</translation>
    </message>
    <message>
        <source>Saved as {0}.</source>
        <translation>Enregistré sous {0}.</translation>
    </message>
    <message>
        <source>{0} was not saved: {1}. Choose another name or place.</source>
        <translation>{0} n’a pas été enregistré&#xa0;: {1}. Choisissez un autre nom ou un autre endroit.</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>État</translation>
    </message>
</context>
<context>
    <name>StatusText</name>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>This picture cannot be shown</source>
        <translation>Cette image ne peut être affichée</translation>
    </message>
    <message>
        <source>Something went wrong with this photo</source>
        <translation>Un problème est survenu avec cette photo</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>The file is cut short, and its last part is missing: copy it again.</source>
        <translation>Le fichier est tronqué, sa fin manque : copiez-le à nouveau.</translation>
    </message>
    <message>
        <source>Only the first of {count} pages is shown: save the others as files of their own.</source>
        <translation>Seule la première des {count} pages est affichée : enregistrez les autres dans leurs propres fichiers.</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Arrêté</translation>
    </message>
    <message>
        <source>Find the board</source>
        <translation>Chercher la grille</translation>
    </message>
    <message>
        <source>No board was found</source>
        <translation>Aucune grille trouvée</translation>
    </message>
    <message>
        <source>Take the photo from above, near, with the whole border on it.</source>
        <translation>Photographiez d’en haut, de près, avec tout le bord.</translation>
    </message>
    <message>
        <source>Place the board</source>
        <translation>Placer la grille</translation>
    </message>
    <message>
        <source>Solving…</source>
        <translation>Résolution…</translation>
    </message>
    <message>
        <source>An empty board</source>
        <translation>Une grille vide</translation>
    </message>
    <message>
        <source>Choose a cell and type its digit.</source>
        <translation>Choisissez une case et tapez son chiffre.</translation>
    </message>
    <message>
        <source>More than one solution so far</source>
        <translation>Plus d’une solution pour l’instant</translation>
    </message>
    <message>
        <source>The region at row {row}, column {column} has {count} cells instead of {side}.</source>
        <translation>La région en ligne {row}, colonne {column} a {count} cases au lieu de {side}.</translation>
    </message>
    <message>
        <source>The region at row {row}, column {column} falls into pieces.</source>
        <translation>La région en ligne {row}, colonne {column} est en plusieurs morceaux.</translation>
    </message>
    <message>
        <source>The cage at row {row}, column {column} has more cells than there are digits.</source>
        <translation>La cage en ligne {row}, colonne {column} a plus de cases qu’il n’y a de chiffres.</translation>
    </message>
    <message>
        <source>The cage at row {row}, column {column} has no sum yet: choose it and type the sum.</source>
        <translation>La cage en ligne {row}, colonne {column} n’a pas encore de somme : choisissez-la et tapez la somme.</translation>
    </message>
    <message>
        <source>The sum of the cage at row {row}, column {column} must be {least} to {most}.</source>
        <translation>La somme de la cage en ligne {row}, colonne {column} doit être de {least} à {most}.</translation>
    </message>
    <message>
        <source>The cages do not fit yet</source>
        <translation>Les cages ne conviennent pas encore</translation>
    </message>
    <message>
        <source>The regions do not fit yet</source>
        <translation>Les régions ne conviennent pas encore</translation>
    </message>
    <message>
        <source>{name} is empty: copy or take the photo again.</source>
        <translation>{name} est vide&#xa0;: copiez la photo à nouveau ou reprenez-la.</translation>
    </message>
    <message>
        <source>{name} is too large: make it smaller, or crop it to the board.</source>
        <translation>{name} est trop grande&#xa0;: réduisez l’image ou recadrez-la sur la grille.</translation>
    </message>
    <message>
        <source>{name} is too small: take the photo nearer, or with more pixels.</source>
        <translation>{name} est trop petite&#xa0;: photographiez de plus près ou avec plus de pixels.</translation>
    </message>
    <message>
        <source>{name} is damaged, or of a kind that cannot be read here: export it again.</source>
        <translation>{name} est endommagée ou d’un type qui ne peut être lu ici&#xa0;: exportez l’image à nouveau.</translation>
    </message>
    <message>
        <source>{name} does not exist any more.</source>
        <translation>{name} n’existe plus.</translation>
    </message>
    <message>
        <source>{name} may not be read: change its permissions.</source>
        <translation>{name} ne peut être lu&#xa0;: modifiez ses droits d’accès.</translation>
    </message>
    <message>
        <source>Solved: every digit is right</source>
        <translation>Résolu : chaque chiffre est juste</translation>
    </message>
    <message>
        <source>Every cell is filled, but not every digit is right</source>
        <translation>Chaque case est remplie, mais tous les chiffres ne sont pas justes</translation>
    </message>
    <message>
        <source>Check your entries among the hints.</source>
        <translation>Les indices permettent de vérifier vos chiffres.</translation>
    </message>
    <message>
        <source>A puzzle with exactly one solution</source>
        <translation>Une grille avec exactement une solution</translation>
    </message>
    <message>
        <source>Type your digits. Hints help as much as you like.</source>
        <translation>Entrez vos chiffres. Les indices aident autant que vous voulez.</translation>
    </message>
    <message>
        <source>It took {0}.</source>
        <translation>Cela a pris {0}.</translation>
    </message>
    <message>
        <source>Exactly one solution</source>
        <translation>Une seule solution</translation>
    </message>
    <message>
        <source>Press S to see the whole solution.</source>
        <translation>La touche S montre toute la solution.</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Résolu</translation>
    </message>
    <message>
        <source>exactly one solution</source>
        <translation>une seule solution</translation>
    </message>
    <message>
        <source>One entry differs from the solution: see the cross.</source>
        <translation>Un chiffre écrit diffère de la solution&#xa0;: voyez la croix.</translation>
    </message>
    <message numerus="yes">
        <source>%n entries differ from the solution: see the crosses.</source>
        <translation>
            <numerusform>%n chiffre écrit diffère de la solution&#xa0;: voyez la croix.</numerusform>
            <numerusform>%n chiffres écrits diffèrent de la solution&#xa0;: voyez les croix.</numerusform>
        </translation>
    </message>
    <message>
        <source>One digit is not read for sure: compare the tinted cell.</source>
        <translation>Un chiffre n’est pas lu avec certitude&#xa0;: comparez la case teintée.</translation>
    </message>
    <message numerus="yes">
        <source>%n digits are not read for sure: compare the tinted cells.</source>
        <translation>
            <numerusform>%n chiffre n’est pas lu avec certitude&#xa0;: comparez la case teintée.</numerusform>
            <numerusform>%n chiffres ne sont pas lus avec certitude&#xa0;: comparez les cases teintées.</numerusform>
        </translation>
    </message>
    <message>
        <source>The rules corrected one digit: see the tinted cell.</source>
        <translation>Les règles ont corrigé un chiffre&#xa0;: voyez la case teintée.</translation>
    </message>
    <message numerus="yes">
        <source>The rules corrected %n digits: see the tinted cells.</source>
        <translation>
            <numerusform>Les règles ont corrigé %n chiffre&#xa0;: voyez la case teintée.</numerusform>
            <numerusform>Les règles ont corrigé %n chiffres&#xa0;: voyez les cases teintées.</numerusform>
        </translation>
    </message>
    <message>
        <source>More than one solution</source>
        <translation>Plus d’une solution</translation>
    </message>
    <message>
        <source>Perhaps a digit was missed: compare with the photo.</source>
        <translation>Peut-être un chiffre a-t-il échappé&#xa0;: comparez avec la photo.</translation>
    </message>
    <message>
        <source>Type the other digits.</source>
        <translation>Tapez les autres chiffres.</translation>
    </message>
    <message>
        <source>The search was stopped, because you went on with this board.</source>
        <translation>La recherche a été arrêtée, car vous avez continué sur cette grille.</translation>
    </message>
    <message>
        <source>{name} is not a picture: choose a JPEG, PNG, HEIC, WebP, TIFF, BMP or GIF file.</source>
        <translation>{name} n’est pas une image : choisissez un fichier JPEG, PNG, HEIC, WebP, TIFF, BMP ou GIF.</translation>
    </message>
    <message>
        <source>No solution: the digits contradict each other</source>
        <translation>Pas de solution&#xa0;: les chiffres se contredisent</translation>
    </message>
    <message>
        <source>Perhaps a digit was misread: compare with the photo.</source>
        <translation>Peut-être un chiffre est-il mal lu&#xa0;: comparez avec la photo.</translation>
    </message>
    <message>
        <source>Perhaps a digit was mistyped.</source>
        <translation>Peut-être un chiffre est-il mal tapé.</translation>
    </message>
    <message>
        <source>Not all digits can be read</source>
        <translation>Tous les chiffres ne sont pas lisibles</translation>
    </message>
    <message>
        <source>Compare the tinted cells with the photo, and type what stands there.</source>
        <translation>Comparez les cases teintées avec la photo et tapez ce qui s’y trouve.</translation>
    </message>
    <message>
        <source>The solver gave up</source>
        <translation>La recherche de la solution a été abandonnée</translation>
    </message>
    <message>
        <source>A digit stands twice in a row, column or box: see the red cells.</source>
        <translation>Un chiffre est en double dans une ligne, une colonne ou un bloc&#xa0;: voyez les cases rouges.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler la modification</translation>
    </message>
    <message>
        <source>Compare the cages and their sums with the photo.</source>
        <translation>Comparez les cages et leurs sommes avec la photo.</translation>
    </message>
    <message>
        <source>Correct the cages</source>
        <translation>Corriger les cages</translation>
    </message>
    <message>
        <source>Correct the regions</source>
        <translation>Corriger les régions</translation>
    </message>
    <message>
        <source>Solve with diagonals</source>
        <translation>Résoudre avec diagonales</translation>
    </message>
    <message>
        <source>Solve with windows</source>
        <translation>Résoudre avec fenêtres</translation>
    </message>
    <message>
        <source>Both diagonals count, as you said.</source>
        <translation>Les deux diagonales comptent, comme vous l’avez indiqué.</translation>
    </message>
    <message>
        <source>The four windows count, as you said.</source>
        <translation>Les quatre fenêtres comptent, comme vous l’avez indiqué.</translation>
    </message>
    <message>
        <source>The regions are as you said.</source>
        <translation>Les régions sont comme vous l’avez dit.</translation>
    </message>
    <message>
        <source>The cages are as you said.</source>
        <translation>Les cages sont comme vous l’avez dit.</translation>
    </message>
    <message>
        <source>Opening the photo…</source>
        <translation>Ouverture de la photo…</translation>
    </message>
    <message>
        <source>Finding the board…</source>
        <translation>Recherche de la grille…</translation>
    </message>
    <message>
        <source>Reading the digits…</source>
        <translation>Lecture des chiffres…</translation>
    </message>
    <message>
        <source>Checking the digits…</source>
        <translation>Vérification des chiffres…</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>En attente…</translation>
    </message>
</context>
<context>
    <name>StrengthDots</name>
    <message>
        <source>Strength of the hint: {0} of 3</source>
        <translation>Force de l’indice&#xa0;: {0} sur 3</translation>
    </message>
</context>
<context>
    <name>TechniquePanel</name>
    <message>
        <source>Techniques</source>
        <translation>Techniques</translation>
    </message>
    <message>
        <source>Technique</source>
        <translation>Technique</translation>
    </message>
    <message>
        <source>What the picture shows</source>
        <translation>Ce que montre l’image</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Practise it</source>
        <translation>S’exercer</translation>
    </message>
    <message>
        <source>Looking for a puzzle that needs this next. It may take a while.</source>
        <translation>Recherche d’une grille qui en a besoin maintenant. Cela peut durer un moment.</translation>
    </message>
    <message>
        <source>Practice: {} (easier steps come first)</source>
        <translation>Exercice : {} (des étapes plus faciles viennent d’abord)</translation>
    </message>
    <message>
        <source>Practice: {}</source>
        <translation>Exercice : {}</translation>
    </message>
</context>
<context>
    <name>WalkPanel</name>
    <message>
        <source>Solution step by step</source>
        <translation>Solution pas à pas</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>Cette étape</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>List of steps</source>
        <translation>Liste des étapes</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>One step back (left arrow)</source>
        <translation>Une étape en arrière (flèche gauche)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
    <message>
        <source>One step on (right arrow)</source>
        <translation>Une étape en avant (flèche droite)</translation>
    </message>
    <message>
        <source>Play the steps one after the other (K)</source>
        <translation>Jouer les étapes l’une après l’autre (K)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Jouer</translation>
    </message>
    <message>
        <source>Open a photo or a puzzle to see it solved step by step.</source>
        <translation>Ouvrez une photo ou une grille pour la voir résolue pas à pas.</translation>
    </message>
    <message>
        <source>No solution of this puzzle has been verified, so there are no steps.</source>
        <translation>Aucune solution de cette grille n’a été vérifiée&#xa0;: il n’y a pas d’étapes.</translation>
    </message>
    <message>
        <source>Looking for the steps …</source>
        <translation>Recherche des étapes…</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Drop a photo of a Sudoku here</source>
        <translation>Déposez ici la photo d’un sudoku</translation>
    </message>
    <message>
        <source>Photos stay on this computer.</source>
        <translation>Les photos restent sur cet ordinateur.</translation>
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
        <translation>Annuler</translation>
    </message>
    <message>
        <source>{} – Sudoku Lens</source>
        <translation>{} – Sudoku Lens</translation>
    </message>
    <message>
        <source>Photos cannot be read here</source>
        <translation>Les photos ne peuvent être lues ici</translation>
    </message>
    <message>
        <source>Nothing can be kept here, because {} cannot be written to. Photos are solved all the same. To keep puzzles and settings, make room there or change its permissions.</source>
        <translation>Rien ne peut être conservé ici, car {} n’accepte pas d’écriture. Les photos sont résolues malgré tout. Pour garder les grilles et les réglages, libérez de la place ou changez les droits.</translation>
    </message>
</context>
</TS>
