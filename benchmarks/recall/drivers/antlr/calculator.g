header { package calculator; }

class CalculatorParser extends Parser;
options { buildAST = true; k = 2; defaultErrorHandler = true; }
tokens { NEGATED; }

program : ( statement )+ EOF! ;
statement : ( ID ASSIGN ) => ID ASSIGN^ sum SEMI! | sum SEMI! ;
sum returns [int r = 0] : product ( ( PLUS^ | MINUS^ ) product )* ;
product : atom ( { LA(1) == STAR }? STAR^ atom )* ;
atom : NUMBER | ID | LPAREN! sum RPAREN! | m:MINUS^ atom { #m.setType(NEGATED); } ;
exception catch [RecognitionException e] { reportError(e); }

class CalculatorLexer extends Lexer;
options { charVocabulary = '\0'..'\377'; testLiterals = false; k = 2; }

WS : ( ' ' | '\t' | '\n' { newline(); } ) { $setType(Token.SKIP); } ;
ID options { testLiterals = true; } : ( 'a'..'z' | 'A'..'Z' ) ( 'a'..'z' | DIGIT )* ;
NUMBER : ( DIGIT )+ ( '.' ( DIGIT )+ )? ;
protected DIGIT : '0'..'9' ;
COMMENT : "/*" ( options { greedy = false; } : . )* "*/" { $setType(Token.SKIP); } ;
ASSIGN : "=" ; PLUS : '+' ; MINUS : '-' ; STAR : '*' ; SEMI : ';' ; LPAREN : '(' ; RPAREN : ')' ;

class CalculatorWalker extends TreeParser;
expression returns [int r = 0] { int a, b; }
    : #( PLUS a=expression b=expression ) { r = a + b; }
    | #( MINUS a=expression b=expression ) { r = a - b; }
    | #( STAR a=expression b=expression ) { r = a * b; }
    | #( NEGATED a=expression ) { r = -a; }
    | #( ASSIGN ID r=expression )
    | n:NUMBER { r = Integer.parseInt(n.getText()); }
    | ID
    ;
