package estate

// refFields are the fields that a reference may name.
var refFields = [...]string{"id", "arn", "name"}

// eachRef calls visit for every reference inside obj, nested ones included.
func (k *Kind) eachRef(obj Object, visit func(ref Ref, value, path string) error) error {
	return eachRefIn(k.Fields, obj, "", visit)
}

func eachRefIn(fields []Field, obj Object, prefix string, visit func(Ref, string, string) error) error {
	for _, f := range fields {
		value, ok := obj[f.Name]
		if !ok {
			continue
		}
		if err := refsOfValue(f.Type, f.Ref, value, prefix+f.Name, visit); err != nil {
			return err
		}
	}
	return nil
}

func refsOfValue(t Type, ref *Ref, value any, path string, visit func(Ref, string, string) error) error {
	switch t.Shape {
	case Nested:
		return eachRefIn(t.Fields, value.(Object), path+".", visit)
	case List, Set:
		for _, elem := range value.([]any) {
			if err := refsOfValue(*t.Elem, ref, elem, path+"[]", visit); err != nil {
				return err
			}
		}
	case Map:
		for _, elem := range value.(Object) {
			if err := refsOfValue(*t.Elem, ref, elem, path+"[]", visit); err != nil {
				return err
			}
		}
	case String:
		if ref != nil {
			return visit(*ref, value.(string), path)
		}
	}
	return nil
}

// checkRefs refuses references to what is not there.
func (s *Store) checkRefs(k *Kind, obj Object) error {
	return k.eachRef(obj, func(ref Ref, value, path string) error {
		if _, ok := s.shelves[ref.Kind].byField[ref.Field][value]; !ok {
			return invalid("%s: there is no %s with %s %q", path, ref.Kind, ref.Field, value)
		}
		return nil
	})
}

// countRefs adds by to the use counts of everything that obj refers to.
func (s *Store) countRefs(k *Kind, obj Object, by int) {
	_ = k.eachRef(obj, func(ref Ref, value, _ string) error {
		if !ref.Weak {
			s.uses[useKey(ref.Kind, ref.Field, value)] += by
		}
		return nil
	})
}

// usedBy counts the strong references to obj.
func (s *Store) usedBy(k *Kind, obj Object) int {
	total := 0
	for _, field := range refFields {
		total += s.uses[useKey(k.Name, field, str(obj[field]))]
	}
	return total
}

func useKey(kind, field, value string) string { return kind + "." + field + "=" + value }
