// Common names of columns in product files, in several languages: shop platforms, price lists and office spreadsheets.
// Contract 3 §4.
import { own } from '../../kernel/own.ts'
import { normalForm } from '../../kernel/text.ts'

export const WORD_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const
export type WordLanguage = (typeof WORD_LANGUAGES)[number]

type Words = Readonly<Partial<Record<WordLanguage, string>>>

/** Concept → its words, separated by commas, in the form that `foldHeader` returns. */
const WORDS: Readonly<Record<string, Words>> = {
  name: {
    en: 'name,title,label,product name,product title,item name,item title,article name,short text',
    de: 'bezeichnung,titel,artikelbezeichnung,produktname,artikelname,produktbezeichnung,artikeltext,kurztext,bezeichnung 1,benennung',
    fr: 'nom,titre,libelle,designation,nom du produit,intitule',
    es: 'nombre,titulo,denominacion,nombre del producto',
    it: 'nome,titolo,denominazione,nome prodotto',
  },
  description: {
    en: 'description,long description,body html,body,long text,product description,details,text',
    de: 'beschreibung,langtext,artikelbeschreibung,produktbeschreibung,beschreibungstext,lange beschreibung',
    fr: 'description longue,descriptif,description produit',
    es: 'descripcion,descripcion larga',
    it: 'descrizione,descrizione lunga',
  },
  shortdescription: {
    en: 'short description,summary,teaser,excerpt',
    de: 'kurzbeschreibung,zusammenfassung',
    fr: 'description courte,resume',
  },
  sku: {
    en: 'sku,variant sku,item number,item no,article number,article no,product number,part number,product code,item code,mpn,model number,art no,supplier sku,reference',
    de: 'artikelnummer,artikel nr,art nr,artnr,artikelnr,bestellnummer,best nr,materialnummer,sachnummer,produktnummer,artikel nummer,lieferantenartikelnummer',
    fr: 'reference article,ref,code article,reference produit',
    es: 'referencia,codigo,codigo de articulo',
    it: 'codice,codice articolo,riferimento',
  },
  ean: {
    en: 'ean,gtin,barcode,variant barcode,upc,ean code,gtin 13,ean 13,ean13,gtin13,isbn,gtin ean,ean gtin',
    de: 'strichcode,ean nummer,gtin nummer,ean nr',
    fr: 'code barres,code ean,code barre',
    es: 'codigo de barras',
    it: 'codice a barre',
  },
  price: {
    en: 'price,variant price,sales price,selling price,unit price,list price,retail price,regular price,net price,gross price,rrp,msrp',
    de: 'preis,vk,vk preis,verkaufspreis,vkpreis,listenpreis,uvp,nettopreis,bruttopreis,vk brutto,vk netto,einzelpreis,preis netto,preis brutto',
    fr: 'prix,prix de vente,prix ttc,prix ht,tarif',
    es: 'precio,precio de venta,pvp',
    it: 'prezzo,prezzo di vendita,prezzo di listino',
  },
  cost: {
    en: 'cost,cost price,purchase price,cost per item,buying price,wholesale price,dealer price',
    de: 'ek,ek preis,einkaufspreis,ekpreis,ek netto,haendlerpreis,handlerpreis',
    fr: 'prix d achat,cout',
    es: 'coste,precio de compra',
    it: 'costo,prezzo di acquisto',
  },
  compareprice: {
    en: 'compare at price,variant compare at price,was price,old price,strike price',
    de: 'streichpreis,alter preis,statt preis',
  },
  brand: {
    en: 'brand,vendor,manufacturer,maker,brand name,manufacturer name',
    de: 'marke,hersteller,fabrikat,herstellername,markenname',
    fr: 'marque,fabricant',
    es: 'marca,fabricante',
    it: 'marca,produttore,marchio',
  },
  color: {
    en: 'color,colour,color name,colors,colours',
    de: 'farbe,farben,farbbezeichnung',
    fr: 'couleur,couleurs,coloris',
    es: 'color,colores',
    it: 'colore,colori',
  },
  size: {
    en: 'size,sizes',
    de: 'grosse,groesse,grossen,konfektionsgrosse',
    fr: 'taille,pointure',
    es: 'talla,tamano',
    it: 'taglia,misura',
  },
  material: {
    en: 'material,fabric,materials,composition',
    de: 'material,werkstoff,stoff,materialien',
    fr: 'matiere,materiau,composition',
    es: 'material',
    it: 'materiale',
  },
  weight: {
    en: 'weight,net weight,gross weight,variant weight,variant grams,grams',
    de: 'gewicht,nettogewicht,bruttogewicht,artikelgewicht',
    fr: 'poids,poids net',
    es: 'peso',
    it: 'peso',
  },
  width: { en: 'width', de: 'breite', fr: 'largeur', es: 'ancho,anchura', it: 'larghezza' },
  height: { en: 'height', de: 'hohe,hoehe', fr: 'hauteur', es: 'alto,altura', it: 'altezza' },
  length: { en: 'length', de: 'lange,laenge', fr: 'longueur', es: 'largo,longitud', it: 'lunghezza' },
  depth: { en: 'depth', de: 'tiefe', fr: 'profondeur', es: 'profundidad', it: 'profondita' },
  stock: {
    en: 'stock,quantity,qty,inventory,variant inventory qty,stock quantity,on hand',
    de: 'bestand,lagerbestand,menge,lagermenge',
    fr: 'stock,quantite',
    es: 'existencias,cantidad',
    it: 'giacenza,quantita',
  },
  packsize: {
    en: 'pack size,packaging unit,units per pack,moq,minimum order quantity',
    de: 've,verpackungseinheit,mindestbestellmenge,inhalt ve',
  },
  image: {
    en: 'image,image src,image url,picture,photo,main image,images,variant image',
    de: 'bild,bild url,bilder,foto,hauptbild',
    fr: 'image,photo',
    es: 'imagen,foto',
    it: 'immagine,foto',
  },
  url: {
    en: 'url,link,product url,product link,website',
    de: 'webseite,produktlink,webadresse',
    fr: 'lien',
    es: 'enlace',
    it: 'collegamento',
  },
  country: {
    en: 'country of origin,origin,made in,country',
    de: 'ursprungsland,herkunftsland,herkunft',
    fr: 'pays d origine,origine',
    es: 'pais de origen',
    it: 'paese di origine',
  },
  tariff: {
    en: 'hs code,tariff number,commodity code,customs tariff number',
    de: 'zolltarifnummer,warennummer,taric',
    fr: 'code douanier',
  },
  gender: { en: 'gender,sex', de: 'geschlecht', fr: 'genre,sexe', es: 'genero', it: 'genere' },
  season: { en: 'season', de: 'saison', fr: 'saison', es: 'temporada', it: 'stagione' },
  tags: {
    en: 'tags,keywords,tag',
    de: 'schlagworte,stichworte,schlagworter',
    fr: 'mots cles',
    es: 'etiquetas',
    it: 'etichette',
  },
  type: {
    en: 'type,product type',
    de: 'typ,produkttyp,artikelart,produktart',
    fr: 'type de produit',
    es: 'tipo',
    it: 'tipo',
  },
  active: {
    en: 'active,published,enabled,available,visible',
    de: 'aktiv,veroffentlicht,verfugbar,sichtbar',
    fr: 'actif,publie',
    es: 'activo',
    it: 'attivo',
  },
  date: {
    en: 'date,release date,launch date,available from,valid from',
    de: 'datum,erscheinungsdatum,gultig ab,verfugbar ab,lieferbar ab',
    fr: 'date de sortie',
    es: 'fecha',
    it: 'data',
  },
  warranty: { en: 'warranty', de: 'garantie', fr: 'garantie', es: 'garantia', it: 'garanzia' },
  care: { en: 'care,care instructions', de: 'pflege,pflegehinweise', fr: 'entretien' },
}

/** Field of a record → its words. */
const FIELD_WORDS: Readonly<Record<'id' | 'parentId' | 'categories', string>> = {
  id: 'id,record id,product id,handle,item id,datensatz id,produkt id,article id,entity id',
  parentId:
    'parent,parent id,parent sku,parent product,variant of,parent article,hauptartikel,vaterartikel,variante von,hauptartikelnummer,parent item,produit parent,ubergeordneter artikel',
  categories:
    'category,categories,product category,category path,collection,kategorie,kategorien,warengruppe,produktkategorie,sortiment,categorie,rayon,categoria,produktgruppe,standard product type',
}

export const UNIT_WORDS: ReadonlyMap<string, 'unit' | 'currency'> = new Map([
  ...'currency,wahrung,waehrung,devise,moneda,valuta,currency code,wahrungscode'
    .split(',')
    .map((word) => [word, 'currency'] as const),
  ...'unit,einheit,uom,unite,unidad,unita,me,mengeneinheit,masseinheit'
    .split(',')
    .map((word) => [word, 'unit'] as const),
])

/** Words before or behind the meaningful part of a header. */
export const FILLERS: ReadonlySet<string> = new Set(
  'product,produkt,produit,producto,prodotto,article,artikel,item,variant,variante,the,der,die,das,of,du,des,in,per,pro,inkl,incl,mwst,vat,value,wert,netto,brutto,net,gross'.split(
    ',',
  ),
)

export const UNITS: ReadonlySet<string> = new Set(
  'kg,g,gr,gramm,lb,lbs,oz,mm,cm,m,inch,zoll,l,ml,cl,eur,euro,usd,gbp,chf,stk,stuck,pcs'.split(','),
)

interface Meaning {
  readonly concept: string
  /** The language of the word, where no second language has the same word. */
  readonly language: WordLanguage | undefined
}

const meanings = readWords()

export function meaningOf(phrase: string): Meaning | undefined {
  return meanings.get(phrase)
}

/** In the form that `foldHeader` returns. */
export const wordsOfConcept = (concept: string): string[] =>
  Object.values(own(WORDS, concept) ?? {}).flatMap((words) => words.split(','))

const fields = new Map(
  Object.entries(FIELD_WORDS).flatMap(([field, words]) =>
    words.split(',').map((word) => [word, field as keyof typeof FIELD_WORDS] as const),
  ),
)

export function fieldOf(phrase: string): keyof typeof FIELD_WORDS | undefined {
  return fields.get(phrase)
}

function readWords(): Map<string, Meaning> {
  const found = new Map<string, Meaning>()
  for (const [concept, byLanguage] of Object.entries(WORDS))
    for (const language of WORD_LANGUAGES)
      for (const word of byLanguage[language]?.split(',') ?? []) {
        const before = found.get(word)
        if (before === undefined) found.set(word, { concept, language })
        else if (before.concept === concept) found.set(word, { concept, language: undefined })
      }
  return found
}

/** UTF-16 units of a header that are compared. Names are shorter, and some characters become 18 letters when they are folded. */
const MOST_COMPARED = 1000

/** Returns lower case words without accents and signs: `Artikel-Nr.` and `artikelNr` → `artikel nr`. */
export function foldHeader(text: string): string {
  const compared = text.slice(0, MOST_COMPARED)
  return normalForm(compared.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'), 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
